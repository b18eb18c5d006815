import { Badge } from '../../ui/badge.tsx'
import { stateLabel, stateTone } from './project-words.ts'
import type { Project } from './queries.ts'

/** The worst that is seen of a project, with the reason for whoever points at it. */
export function ProjectBadge({ project: { state, reason } }: { project: Pick<Project, 'state' | 'reason'> }) {
  return (
    <span className="inline-flex" title={reason ?? undefined}>
      <Badge tone={stateTone(state)}>{stateLabel(state)}</Badge>
    </span>
  )
}
