import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import {
  isComposeDraft,
  isRepositoryDraft,
  type NewApplicationDraft,
  proposeName,
} from '../../areas/applications/new/new-draft.ts'
import { type PartProps, SourceChoice } from '../../areas/applications/new/new-fields.tsx'
import type { useComposeCheck } from '../../areas/compose/compose-check.ts'
import { ImagePicker } from '../../areas/images/image-picker.tsx'
import { ImageField } from '../../areas/registries/image-field.tsx'
import { serversQuery } from '../../areas/servers/queries.ts'
import { deployObstacle } from '../../areas/servers/server-choice.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/form/select.tsx'
import { NewApplicationRepository } from './new-application-repository.tsx'
import { VariablesField } from '../../areas/applications/new/new-environment.tsx'
import { ComposeEditor } from '../../areas/compose/compose-editor.tsx'
import { ProfilesField } from '../../areas/compose/profiles-field.tsx'
import { Notice } from '../../ui/notice.tsx'

interface SourceProps extends PartProps {
  file: ReturnType<typeof useComposeCheck>
}

export const NewApplicationSource = ({ file, ...part }: SourceProps) => (
  <>
    <SourceChoice draft={part.draft} />
    <Kind {...part} file={file} />
  </>
)

function Kind({ file, ...part }: SourceProps) {
  if (isRepositoryDraft(part.draft)) return <NewApplicationRepository {...part} />
  return isComposeDraft(part.draft) ? <NewApplicationCompose {...part} file={file} /> : <OfImage {...part} />
}

function OfImage({ draft, errors }: PartProps) {
  const { data: servers = [] } = useInfiniteQuery(serversQuery(''))
  return (
    <>
      <Card title="Docker image" description="From Docker Hub, another registry or one of your servers.">
        <div className="max-w-2xl">
          <ImageField
            name="source.image"
            value={draft['source.image']}
            onChange={(image) => changeDraft(withImage(draft, image))}
            error={errors['source.image']}
            server={servers.find(({ id }) => id === draft.server_id) ?? onlyOf(servers)}
          />
        </div>
      </Card>
      <OnServers draft={draft} />
    </>
  )
}

/** Preselects the only server. */
const onlyOf = <T,>(all: readonly T[]) => (all.length === 1 ? all[0] : undefined)

/** The name follows the image until the user changes it. */
function withImage(draft: NewApplicationDraft, image: string): Partial<NewApplicationDraft> {
  const own = draft.name !== '' && draft.name !== proposeName(draft['source.image'])
  return { 'source.image': image, ...(own ? {} : { name: proposeName(image) }) }
}

function OnServers({ draft }: Pick<PartProps, 'draft'>) {
  const { data: servers = [] } = useInfiniteQuery(serversQuery(''))
  const [asked, setAsked] = useState(draft.server_id)
  const fit = servers.filter((server) => server.status === 'ready' && deployObstacle(server) === undefined)
  const shown = fit.find(({ id }) => id === asked) ?? fit[0]
  if (!shown) return null
  const choose = (image: string) => changeDraft({ ...withImage(draft, image), server_id: shown.id })
  return (
    <Card title="Images on your servers">
      <div className="flex max-w-2xl flex-col gap-3">
        {fit.length > 1 && (
          <Select
            aria-label="Server"
            options={fit.map(({ id, name }) => ({ value: id, label: name }))}
            value={shown.id}
            onValueChange={setAsked}
            className="max-w-xs max-sm:max-w-none"
          />
        )}
        <ImagePicker key={shown.id} serverId={shown.id} chosen={draft['source.image']} onPick={choose} />
      </div>
    </Card>
  )
}

function NewApplicationCompose({ file, ...part }: PartProps & { file: ReturnType<typeof useComposeCheck> }) {
  const { draft, errors } = part
  const text = draft['source.compose']
  return (
    <>
      {draft.lost && text === '' && (
        <Notice tone="yellow" title="Enter the compose file again">
          The page was reloaded. The compose file and environment variables are not stored in the browser
          because they may contain secrets.
        </Notice>
      )}
      <Card title="Compose file" description="Enter, paste or drop a compose file. Encrypted at rest.">
        <ComposeEditor
          value={text}
          onChange={(compose) => changeDraft(withCompose(draft, compose))}
          check={file}
          error={errors['source.compose'] ?? errors['source']}
        />
      </Card>
      <Card title="Environment and profiles">
        <div className="flex max-w-2xl flex-col gap-4">
          <VariablesField
            {...part}
            help="KEY=value, one per line, or a pasted .env file. Replaces ${NAME} in the compose file. Encrypted at rest."
          />
          <ProfilesField
            profiles={draft['source.profiles']}
            services={file.services}
            onChange={(profiles) => changeDraft({ 'source.profiles': profiles })}
            error={errors['source.profiles']}
          />
        </div>
      </Card>
    </>
  )
}

/** The name follows the file until the user changes it. */
function withCompose(draft: NewApplicationDraft, compose: string): Partial<NewApplicationDraft> {
  const own = draft.name !== '' && draft.name !== nameIn(draft['source.compose'])
  return { 'source.compose': compose, ...(own ? {} : { name: nameIn(compose) }) }
}

const nameIn = (compose: string) => /^name:[ \t]*["']?([\w-]+)/m.exec(compose)?.[1] ?? ''
