import { Boxes, Braces, type LucideIcon, Server } from 'lucide-react'
import { Link } from 'react-router'
import { projectPath } from '../../paths.ts'
import {
  applicationsSummary,
  projectStateLabel,
  projectStateTone,
  serversSummary,
  variablesSummary,
} from './project-summary.ts'
import type { Project } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { AddressText, useMaskedText } from '../../lib/address.tsx'

export function ProjectCard({ project }: { project: Project }) {
  const { id, name, description, reason } = project
  return (
    <li className="relative flex flex-col gap-3 rounded-lg border border-line bg-raised p-4 hover:bg-hover active:bg-pressed">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <Link
            to={projectPath(id)}
            className="outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-accent-ink"
          >
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <ProjectBadge project={project} />
      </div>
      {description !== '' && <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{description}</p>}
      {reason !== null && (
        <p className="line-clamp-3 text-sm wrap-anywhere">
          <AddressText>{reason}</AddressText>
        </p>
      )}
      <ul className="mt-auto flex flex-col gap-1 pt-1 text-sm text-muted">
        <Fact icon={Boxes}>{applicationsSummary(project)}</Fact>
        {project.servers.total > 0 && <Fact icon={Server}>{serversSummary(project)}</Fact>}
        {project.variables > 0 && <Fact icon={Braces}>{variablesSummary(project)}</Fact>}
      </ul>
    </li>
  )
}

const Fact = ({ icon: Icon, children }: { icon: LucideIcon; children: string }) => (
  <li className="flex items-center gap-2">
    <Icon className="size-4 shrink-0" aria-hidden />
    {children}
  </li>
)

export function ProjectBadge({ project: { state, reason } }: { project: Pick<Project, 'state' | 'reason'> }) {
  const mask = useMaskedText()
  return (
    <span className="inline-flex" title={mask(reason ?? '')}>
      <Badge tone={projectStateTone(state)}>{projectStateLabel(state)}</Badge>
    </span>
  )
}
