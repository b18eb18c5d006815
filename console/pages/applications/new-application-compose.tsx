import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import type { Draft } from '../../areas/applications/new/new-draft.ts'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import { VariablesField } from '../../areas/applications/new/new-variables.tsx'
import { ComposeEditor } from '../../areas/compose/compose-editor.tsx'
import { ProfilesField } from '../../areas/compose/profiles-field.tsx'
import type { useCheck } from '../../areas/compose/use-check.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The compose file that it is made of, with what the file takes from outside. */
export function NewApplicationCompose({ file, ...part }: PartProps & { file: ReturnType<typeof useCheck> }) {
  const { draft, errors } = part
  const text = draft['source.compose']
  return (
    <>
      {draft.lost && text === '' && (
        <Notice tone="yellow" title="Enter the compose file again">
          The page was loaded anew. What may be secret is not kept in the browser: the compose file and
          environment variables.
        </Notice>
      )}
      <Card title="Compose file" description="Type it, paste it, or drop it here. It is kept encrypted.">
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
            help="As in a .env file, one a line: the file takes them as ${NAME}. They are kept encrypted."
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

/** The name follows that of the file for as long as nobody has chosen another. */
function withCompose(draft: Draft, compose: string): Partial<Draft> {
  const own = draft.name !== '' && draft.name !== nameIn(draft['source.compose'])
  return { 'source.compose': compose, ...(own ? {} : { name: nameIn(compose) }) }
}

const nameIn = (compose: string) => /^name:[ \t]*["']?([\w-]+)/m.exec(compose)?.[1] ?? ''
