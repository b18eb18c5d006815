import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import type { NewApplicationDraft } from '../../areas/applications/new/new-draft.ts'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import { VariablesField } from '../../areas/applications/new/new-variables.tsx'
import { ComposeEditor } from '../../areas/compose/compose-editor.tsx'
import { ProfilesField } from '../../areas/compose/profiles-field.tsx'
import type { useComposeCheck } from '../../areas/compose/use-compose-check.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'

export function NewApplicationCompose({
  file,
  ...part
}: PartProps & { file: ReturnType<typeof useComposeCheck> }) {
  const { draft, errors } = part
  const text = draft['source.compose']
  return (
    <>
      {draft.lost && text === '' && (
        <Notice tone="yellow" title="Enter the compose file again">
          The page was reloaded. The compose file and environment variables may be secret and are not stored
          in the browser.
        </Notice>
      )}
      <Card title="Compose file" description="Type, paste or drop it here. Encrypted at rest.">
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
            help="KEY=value, one per line. Replaces ${NAME} in the compose file. Encrypted at rest."
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
