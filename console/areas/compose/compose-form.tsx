import { useState } from 'react'
import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { ComposeEditor } from './compose-editor.tsx'
import { useSaveCompose } from './compose-queries.ts'
import { ProfilesField, readProfiles } from './profiles-field.tsx'
import { useComposeCheck } from './use-compose-check.ts'

interface ComposeFormProps {
  application: { id: string; source: { type: string } }
  saved: { compose: string; profiles: readonly string[] }
  env: string
}

/** Keeps edits until they are saved or discarded. */
export function ComposeForm({ application: { id, source }, saved, env }: ComposeFormProps) {
  const save = useSaveCompose(id)
  const draft = useDraft(`compose file of ${id}`, {
    compose: saved.compose,
    profiles: saved.profiles.join(','),
  })
  const { compose } = draft.typed
  const profiles = readProfiles(draft.typed.profiles)
  const check = useComposeCheck(compose, env, profiles)
  const { form, errors, pending } = useForm({}, async () => {
    await save.mutateAsync({ type: source.type, compose, profiles })
    draft.drop()
    toast.success('Compose file saved. Redeploy to apply.')
  })
  const [begun, setBegun] = useState(saved.compose)
  if (!draft.changed && begun !== saved.compose) setBegun(saved.compose)
  return (
    <form {...form} id="compose" onReset={draft.onReset} className="scroll-mt-20">
      <Card
        title="Compose file"
        description="Define your services. Variables come from the Environment tab."
        footer={
          <>
            Applies on the next deployment.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {begun !== saved.compose && (
            <p className="text-sm text-yellow-ink">
              Another member changed this file after you started editing. Saving overwrites their changes.
              Discard to see them.
            </p>
          )}
          <ComposeEditor
            value={compose}
            onChange={(text) => draft.put('compose', text)}
            check={check}
            error={errors['source.compose'] ?? errors['source']}
          />
          <ProfilesField
            profiles={profiles}
            services={check.services}
            onChange={(names) => draft.put('profiles', names.join(','))}
            error={errors['source.profiles']}
          />
        </div>
      </Card>
    </form>
  )
}
