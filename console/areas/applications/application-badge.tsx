import { Badge } from '../../ui/badge.tsx'
import { stateLabel, stateTone } from './application-words.ts'
import type { Application } from './queries.ts'

export function ApplicationBadge({ application }: { application: Pick<Application, 'state' | 'reason'> }) {
  return (
    <span className="inline-flex" title={application.reason ?? undefined}>
      <Badge tone={stateTone(application.state)}>{stateLabel(application.state)}</Badge>
    </span>
  )
}
