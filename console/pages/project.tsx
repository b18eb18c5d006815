import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { may } from '../../contract/permissions.ts'
import { DeleteProjectCard } from '../areas/projects/delete-project-card.tsx'
import { GeneralCard } from '../areas/projects/general-card.tsx'
import { NetworkCard } from '../areas/projects/network-card.tsx'
import { ProjectBadge } from '../areas/projects/project-badge.tsx'
import { projectQuery } from '../areas/projects/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { isMissing } from '../lib/failure.ts'
import { useTitle } from '../lib/use-title.ts'
import { paths, projectPath } from '../paths.ts'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { NotAllowed } from './not-allowed.tsx'
import { ProjectMissing } from './project-missing.tsx'
import { ProjectOverview } from './project-overview.tsx'
import { ProjectVariables } from './project-variables.tsx'

export function ProjectPage() {
  const { id = '' } = useParams()
  return <OneProject key={id} id={id} />
}

function OneProject({ id }: { id: string }) {
  const query = useQuery(projectQuery(id))
  const project = query.data
  const { role } = useWorkspace()
  const title = project?.name ?? `Project ${id}`
  useTitle(query.isPending ? 'Project' : title)
  // While it cannot be asked for, it stays as it was seen last.
  if (!project || isMissing(query.error)) return <ProjectMissing title={title} query={query} />
  const manages = may(role, 'projects.manage')
  return (
    <>
      <PageHeader
        title={title}
        parents={parents}
        badge={<ProjectBadge project={project} />}
        description={project.description || undefined}
      />
      {project.reason !== null && (
        <Notice tone={project.state === 'failed' ? 'red' : 'yellow'} title={project.reason} />
      )}
      <Tabs
        label="Project"
        tabs={[
          { to: projectPath(id), label: 'Overview', end: true },
          { to: projectPath(id, 'variables'), label: 'Variables' },
          ...(manages ? [{ to: projectPath(id, 'settings'), label: 'Settings' }] : []),
        ]}
      />
      <Routes>
        <Route index element={<ProjectOverview project={project} manages={manages} />} />
        <Route path="variables" element={<ProjectVariables project={project} manages={manages} />} />
        <Route
          path="settings"
          element={
            manages ? (
              <>
                <GeneralCard project={project} />
                <NetworkCard project={project} />
                <DeleteProjectCard project={project} />
              </>
            ) : (
              <NotAllowed needs="projects.manage" />
            )
          }
        />
        <Route path="*" element={<Navigate to={projectPath(id)} replace />} />
      </Routes>
    </>
  )
}

const parents = [{ label: 'Projects', to: paths.projects }]
