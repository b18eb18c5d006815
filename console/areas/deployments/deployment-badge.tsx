import { Badge } from '../../ui/badge.tsx'
import { deploymentTone, hasDied, statusWord } from './deployment-words.ts'
import type { Deployment } from './queries.ts'

type Shown = Pick<Deployment, 'status' | 'cancelling' | 'errors'>

/** How it ended, or goes on; and whether what it brought has died since. */
export const DeploymentBadge = ({ deployment }: { deployment: Shown }) => (
  <span className="inline-flex flex-wrap items-center gap-1">
    <Badge tone={deploymentTone(deployment.status)}>{statusWord(deployment)}</Badge>
    {hasDied(deployment) && <DiedBadge />}
  </span>
)

export const DiedBadge = () => (
  <span className="inline-flex" title="It was completed, and died within the first minutes.">
    <Badge tone="red">Died</Badge>
  </span>
)
