import { Badge } from '../../ui/badge.tsx'
import { deploymentTone, statusWord } from './deployment-words.ts'
import type { Deployment } from './queries.ts'

type Shown = Pick<Deployment, 'status' | 'cancelling'>

export function DeploymentBadge({ deployment }: { deployment: Shown }) {
  return <Badge tone={deploymentTone(deployment.status)}>{statusWord(deployment)}</Badge>
}
