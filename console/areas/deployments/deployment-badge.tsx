import { Badge } from '../../ui/badge.tsx'
import { deploymentTone, hasCrashed, deploymentStatusLabel } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'

type BadgeDeployment = Pick<Deployment, 'status' | 'cancelling' | 'errors'>

export const DeploymentBadge = ({ deployment }: { deployment: BadgeDeployment }) => (
  <span className="inline-flex flex-wrap items-center gap-1">
    <Badge tone={deploymentTone(deployment.status)}>{deploymentStatusLabel(deployment)}</Badge>
    {hasCrashed(deployment) && <CrashedBadge />}
  </span>
)

export const CrashedBadge = () => (
  <span className="inline-flex" title="Crashed within minutes of going live">
    <Badge tone="red">Crashed</Badge>
  </span>
)
