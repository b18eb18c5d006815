import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ComposeLabelsCard, LabelsCard } from '../../areas/applications/entries/labels-card.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

export function ApplicationLabelsPage({ application: { id, source } }: { application: ApplicationDetails }) {
  const { role } = useWorkspace()
  const manages = roleAllows(role, 'applications.manage')
  return isCompose(source.type) ? (
    <ComposeLabelsCard applicationId={id} manages={manages} />
  ) : (
    <LabelsCard applicationId={id} manages={manages} />
  )
}
