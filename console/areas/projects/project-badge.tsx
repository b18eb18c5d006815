import { Badge } from '../../ui/badge.tsx'
import { stateLabel, stateTone } from './project-words.ts'
import type { Project } from './queries.ts'

export function ProjectBadge({ project: { state, reason } }: { project: Pick<Project, 'state' | 'reason'> }) {
  return (
    <span className="inline-flex" title={reason ?? undefined}>
      <Badge tone={stateTone(state)}>{stateLabel(state)}</Badge>
    </span>
  )
}
