import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import {
  isComposeDraft,
  isRepositoryDraft,
  type NewApplicationDraft,
  withSuggestedName,
} from '../../areas/applications/new/new-draft.ts'
import { type PartProps, SourceChoice } from '../../areas/applications/new/new-fields.tsx'
import type { useComposeCheck } from '../../areas/compose/compose-check.ts'
import { ComposeEditor } from '../../areas/compose/compose-editor.tsx'
import { ProfilesField } from '../../areas/compose/profiles-field.tsx'
import { ImagePicker } from '../../areas/images/image-picker.tsx'
import { ImageField } from '../../areas/registries/image-field.tsx'
import type { Server } from '../../areas/servers/queries.ts'
import { Card } from '../../ui/card.tsx'
import { NewApplicationRepository } from './new-application-repository.tsx'

interface SourceProps extends PartProps {
  file: ReturnType<typeof useComposeCheck>
  server: Server | undefined
}

export const NewApplicationSource = (props: SourceProps) => (
  <Card title="Source">
    <div className="flex flex-col gap-4">
      <SourceChoice draft={props.draft} />
      <SourceFields {...props} />
    </div>
  </Card>
)

function SourceFields({ file, server, ...part }: SourceProps) {
  if (isRepositoryDraft(part.draft)) return <NewApplicationRepository {...part} />
  if (isComposeDraft(part.draft)) return <ComposeFields {...part} file={file} />
  return <ImageFields {...part} server={server} />
}

const changeSource = (draft: NewApplicationDraft, change: Partial<NewApplicationDraft>) =>
  changeDraft(withSuggestedName(draft, change))

function ImageFields({ draft, errors, server }: Omit<SourceProps, 'file'>) {
  const [open, setOpen] = useState(false)
  const choose = (image: string) => changeSource(draft, { 'source.image': image })
  return (
    <>
      <ImageField
        name="source.image"
        value={draft['source.image']}
        onChange={choose}
        error={errors['source.image']}
        server={server}
      />
      {server?.status === 'ready' && (
        <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="flex w-fit list-none items-center gap-1.5 rounded-sm text-muted hover:text-ink">
            <ChevronRight className="size-4 shrink-0 group-open:rotate-90" aria-hidden />
            <span className="wrap-anywhere">Images on {server.name}</span>
          </summary>
          <div className="flex flex-col gap-3 pt-3">
            {open && <ImagePicker serverId={server.id} chosen={draft['source.image']} onPick={choose} />}
          </div>
        </details>
      )}
    </>
  )
}

const ComposeFields = ({ draft, errors, file }: Omit<SourceProps, 'server'>) => (
  <>
    <ComposeEditor
      value={draft['source.compose']}
      onChange={(compose) => changeSource(draft, { 'source.compose': compose })}
      check={file}
      error={errors['source.compose'] ?? errors['source']}
    />
    <ProfilesField
      profiles={draft['source.profiles']}
      services={file.services}
      onChange={(profiles) => changeDraft({ 'source.profiles': profiles })}
      error={errors['source.profiles']}
    />
  </>
)
