import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { composeQuery, useSaveCompose } from './queries.ts'
import { useState } from 'react'
import { toast } from 'sonner'
import { SaveButtons, useDraft } from '../../lib/form/use-draft.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { ComposeEditor } from './compose-editor.tsx'
import { ProfilesField, readProfiles } from './profiles-field.tsx'
import { useComposeCheck } from './compose-check.ts'

interface ComposeApplication {
  id: string
  source: { type: string }
  server: { id: string }
}

interface ComposeCardProps {
  application: ComposeApplication
  /** Variables as text, for interpolation; undefined while loading. */
  env: string | undefined
}

export function ComposeCard({ application, env }: ComposeCardProps) {
  const query = useQuery(composeQuery(application.id))
  const { data } = query
  if (data && env !== undefined) return <ComposeForm application={application} saved={data} env={env} />
  return (
    <Card title="Compose file">
      <QueryFallback
        query={query}
        failed="Could not load compose file"
        skeleton={<Skeleton className="h-80" />}
      />
    </Card>
  )
}

interface ComposeFormProps {
  application: ComposeApplication
  saved: { compose: string; profiles: readonly string[] }
  env: string
}

/** Keeps edits until they are saved or discarded. */
function ComposeForm({ application: { id, source, server }, saved, env }: ComposeFormProps) {
  const save = useSaveCompose(id)
  const draft = useDraft(
    { compose: saved.compose, profiles: saved.profiles.join(',') },
    `compose file of ${id}`,
  )
  const { compose } = draft.typed
  const profiles = readProfiles(draft.typed.profiles)
  const check = useComposeCheck(compose, env, profiles, server.id)
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
        description="Defines the services. Set variables in the Environment tab."
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
              Another member changed this file after you started editing. Saving overwrites their changes. To
              see them, discard your edits.
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
