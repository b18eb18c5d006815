import { useQuery } from '@tanstack/react-query'
import { writePairs } from '../../contract/entries.ts'
import { BehaviourCard } from '../areas/applications/behaviour-card.tsx'
import { DeleteApplicationCard } from '../areas/applications/delete-application-card.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { SettingsCards } from '../areas/applications/settings-cards.tsx'
import { isCompose } from '../areas/applications/source-label.ts'
import { variableValuesQuery } from '../areas/applications/variables.ts'
import { ComposeCard } from '../areas/compose/compose-card.tsx'
import { HookCard } from '../areas/webhooks/hook-card.tsx'
import { useDialog } from '../lib/use-dialog.ts'
import { deliveriesPath } from '../paths.ts'
import { TextLink } from '../ui/text-link.tsx'
import { ApplicationRepository } from './application-repository.tsx'

export function ApplicationSettingsPage({ application }: { application: ApplicationDetails }) {
  const { open } = useDialog()
  return (
    <>
      <SettingsCards
        application={application}
        compose={isCompose(application.source.type) && <ComposeFile application={application} />}
        repository={application.repository && <ApplicationRepository application={application} />}
      />
      <BehaviourCard application={application} />
      <HookCard
        applicationId={application.id}
        deliveries={
          <>
            Every call and every push is kept for 30 days, with what became of it.
            <TextLink to={deliveriesPath(application.id)}>Deliveries</TextLink>
          </>
        }
      />
      <DeleteApplicationCard onDelete={() => open('delete')} />
    </>
  )
}

/** It is checked with the values of its variables, as a deployment reads it. */
function ComposeFile({ application }: { application: ApplicationDetails }) {
  const { data, isError } = useQuery(variableValuesQuery(application.id))
  const known = data ?? (isError ? [] : undefined)
  const env = known?.map(({ key, value }) => ({ key, value: value ?? '' }))
  return <ComposeCard application={application} env={env && writePairs(env)} />
}
