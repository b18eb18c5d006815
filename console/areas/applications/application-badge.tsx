import { Badge } from '../../ui/badge.tsx'
import { applicationStateLabel, applicationStateTone } from './application-status.ts'
import type { Application } from './queries.ts'

export function ApplicationBadge({ application }: { application: Pick<Application, 'state' | 'reason'> }) {
  return (
    <span className="inline-flex" title={application.reason ?? undefined}>
      <Badge tone={applicationStateTone(application.state)}>{applicationStateLabel(application.state)}</Badge>
    </span>
  )
}
