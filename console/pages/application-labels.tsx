import { may } from '../../contract/permissions.ts'
import { LabelsCard } from '../areas/applications/labels-card.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'

export function ApplicationLabelsPage({ application: { id } }: { application: ApplicationDetails }) {
  const { role } = useWorkspace()
  return <LabelsCard applicationId={id} manages={may(role, 'applications.manage')} />
}
