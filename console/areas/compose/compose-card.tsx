import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { composeQuery, useSaveCompose } from './queries.ts'
import { useState } from 'react'
import { useSavedForm } from '../../lib/form/save-bar.tsx'
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

/** Keeps edits until the user saves or discards them, even while the user visits other pages. */
function ComposeForm({ application: { id, source, server }, saved, env }: ComposeFormProps) {
  const save = useSaveCompose(id)
  const { form, round, typed, errors, changed, onChoose } = useSavedForm({
    fields: {},
    saved: { compose: saved.compose, profiles: saved.profiles.join(',') },
    save: async (_, { compose, profiles }) => {
      await save.mutateAsync({ type: source.type, compose, profiles: readProfiles(profiles) })
      return 'Redeploy to apply.'
    },
    applies: 'Applies on the next deployment.',
    keptAs: `compose file of ${id}`,
  })
  const profiles = readProfiles(typed.profiles)
  const check = useComposeCheck(typed.compose, env, profiles, server.id)
  const [begun, setBegun] = useState(saved.compose)
  if (!changed && begun !== saved.compose) setBegun(saved.compose)
  return (
    <form {...form} key={round} id="compose" className="scroll-mt-20">
      <Card title="Compose file" description="Defines the services. Set variables in the Environment tab.">
        <div className="flex flex-col gap-4">
          {begun !== saved.compose && (
            <p className="text-sm text-yellow-ink">
              Another member changed this file after you started editing. Saving overwrites their changes. To
              see them, discard your edits.
            </p>
          )}
          <ComposeEditor
            value={typed.compose}
            onChange={(text) => onChoose('compose', text)}
            check={check}
            error={errors['source.compose'] ?? errors['source']}
          />
          <ProfilesField
            profiles={profiles}
            services={check.services}
            onChange={(names) => onChoose('profiles', names.join(','))}
            error={errors['source.profiles']}
          />
        </div>
      </Card>
    </form>
  )
}
