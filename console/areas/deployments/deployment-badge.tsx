import { Badge } from '../../ui/badge.tsx'
import { deploymentStatusLabel, deploymentTone, hasCrashed } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'
import { useSyncExternalStore } from 'react'
import { formatElapsed } from '../../../contract/shared/duration.ts'

type BadgeDeployment = Pick<Deployment, 'status' | 'cancelling'>

export const DeploymentBadge = ({ deployment }: { deployment: BadgeDeployment }) => (
  <span
    className="inline-flex"
    title={hasCrashed(deployment) ? 'Crashed within minutes of going live' : undefined}
  >
    <Badge tone={deploymentTone(deployment.status)}>{deploymentStatusLabel(deployment)}</Badge>
  </span>
)

export function DeploymentDuration({ from, to }: { from: string | null; to: string | null }) {
  const now = useSyncExternalStore(from !== null && to === null ? everySecond : never, wholeSecond)
  return (
    <span className="whitespace-nowrap tabular-nums">
      {from === null ? '–' : formatElapsed(from, to ?? new Date(now).toISOString())}
    </span>
  )
}

function everySecond(listener: () => void) {
  const timer = setInterval(listener, 1000)
  return () => clearInterval(timer)
}

const never = () => () => undefined

const wholeSecond = () => Math.floor(Date.now() / 1000) * 1000
