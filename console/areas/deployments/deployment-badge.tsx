import { Badge } from '../../ui/badge.tsx'
import { deploymentTone } from './deployment-words.ts'

export function DeploymentBadge({ status }: { status: string }) {
  return <Badge tone={deploymentTone(status)}>{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>
}
