import { Badge } from '../../ui/badge.tsx'
import { deploymentStatusLabel, deploymentTone, hasCrashed } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'
import { useSyncExternalStore } from 'react'
import { formatElapsed } from '../../ui/format/duration.ts'

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
