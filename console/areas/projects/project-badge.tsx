import { Badge } from '../../ui/badge.tsx'
import { projectStateLabel, projectStateTone } from './project-summary.ts'
import type { Project } from './queries.ts'

export function ProjectBadge({ project: { state, reason } }: { project: Pick<Project, 'state' | 'reason'> }) {
  return (
    <span className="inline-flex" title={reason ?? undefined}>
      <Badge tone={projectStateTone(state)}>{projectStateLabel(state)}</Badge>
    </span>
  )
}
