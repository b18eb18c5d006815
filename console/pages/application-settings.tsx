import { BehaviourCard } from '../areas/applications/behaviour-card.tsx'
import { DeleteApplicationCard } from '../areas/applications/delete-application-card.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { SettingsCards } from '../areas/applications/settings-cards.tsx'
import { useDialog } from '../lib/use-dialog.ts'

export function ApplicationSettingsPage({ application }: { application: ApplicationDetails }) {
  const { open } = useDialog()
  return (
    <>
      <SettingsCards application={application} />
      <BehaviourCard application={application} />
      <DeleteApplicationCard onDelete={() => open('delete')} />
    </>
  )
}
