import { roleAllows } from '../../../contract/shared/permissions.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { sourceKind } from '../../areas/applications/source-label.ts'
import { DeploymentsCard } from '../../areas/deployments/deployments-card.tsx'
import { ReleasesCard } from '../../areas/deployments/releases-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'

export function ApplicationDeploymentsPage({ application }: { application: ApplicationDetails }) {
  const { id, source } = application
  const { open } = useDialog()
  return (
    <>
      <DeploymentsCard applicationId={id} />
      <ReleasesCard
        applicationId={id}
        source={sourceKind(source.type)}
        deploys={roleAllows(useWorkspace().role, 'applications.deploy')}
        onRollBack={(release) => open(`roll-back-${release.id}`)}
        onCompare={(release) => open(`changes-${release.id}`)}
      />
    </>
  )
}
