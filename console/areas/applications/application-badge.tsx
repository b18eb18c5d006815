import { Badge } from '../../ui/badge.tsx'
import { applicationStateText, applicationStateTone } from './application-status.ts'
import type { Application } from './queries.ts'
import { Link } from 'react-router'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { useMaskedText } from '../../lib/address.tsx'

interface ApplicationBadgeProps {
  application: Pick<Application, 'state' | 'reason' | 'containers'>
}

export function ApplicationBadge({ application }: ApplicationBadgeProps) {
  const mask = useMaskedText()
  return (
    <span className="inline-flex" title={mask(application.reason ?? '')}>
      <Badge tone={applicationStateTone(application.state)}>{applicationStateText(application)}</Badge>
    </span>
  )
}

type Deployment = NonNullable<Application['deployment']>

const words: Record<string, string> = {
  build_application: 'Building',
  rollback_application: 'Rolling back',
  restart_application: 'Restarting',
  start_application: 'Starting',
  stop_application: 'Stopping',
}

export const DeployingLabel = ({ deployment }: { deployment: Deployment }) => (
  <Badge tone="yellow">{wordOf(deployment)}</Badge>
)

export const DeployingBadge = ({ deployment }: { deployment: Deployment }) => (
  <Link
    to={`?deploymentId=${encodeURIComponent(deployment.id)}`}
    state={dialogOpenedState}
    className="inline-flex rounded-full"
  >
    <DeployingLabel deployment={deployment} />
  </Link>
)

function wordOf({ type, status, cancelling }: Deployment): string {
  if (cancelling) return 'Canceling…'
  return status === 'queued' ? 'Queued' : `${words[type] ?? 'Deploying'}…`
}
