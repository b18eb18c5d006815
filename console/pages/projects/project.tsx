import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { DeleteProjectCard, NetworkCard, ProjectGeneralCard } from '../../areas/projects/settings-cards.tsx'
import { ProjectBadge } from '../../areas/projects/project-card.tsx'
import { findTroubledMembers } from '../../areas/projects/project-summary.ts'
import {
  type Project,
  projectMapQuery,
  projectQuery,
  projectVariables,
} from '../../areas/projects/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useTitle } from '../../lib/use-title.ts'
import { paths, projectPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotAllowed, ResourceFallback } from '../page-fallback.tsx'
import { ProjectOverview } from './project-overview.tsx'
import { EnvironmentCard } from '../../areas/applications/environment/environment-card.tsx'
import { EnvironmentText } from '../../areas/applications/environment/environment-editor.tsx'
import { useDialog } from '../../lib/use-dialog.ts'

const parents = [{ label: 'Projects', to: paths.projects }]
const words = {
  gone: 'Project not found',
  why: 'The project was deleted or belongs to another workspace.',
  others: { to: paths.projects, label: 'All projects' },
  failed: 'Could not load project',
}

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
  // Keep showing the last known data while requests fail.
  if (!project || isNotFound(query.error)) return <ResourceFallback {...{ title, parents, query, words }} />
  const manages = roleAllows(role, 'projects.manage')
  return (
    <>
      <PageHeader
        title={title}
        parents={parents}
        badge={<ProjectBadge project={project} />}
        description={project.description || undefined}
      />
      {project.reason !== null && <ProjectNotice project={project} reason={project.reason} />}
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
                <ProjectGeneralCard project={project} />
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

/** Shows why the project is not healthy. If one application or server is the cause, the notice links to it. */
function ProjectNotice({ project: { id, state }, reason }: { project: Project; reason: string }) {
  const { data: map } = useQuery(projectMapQuery(id))
  const [first, ...others] = map ? findTroubledMembers(state, map) : []
  return (
    <Notice
      tone={state === 'failed' ? 'red' : 'yellow'}
      title={reason}
      action={first && others.length === 0 && <ButtonLink to={first.to}>Open {first.name}</ButtonLink>}
    />
  )
}

const asText = 'text'

function ProjectVariables({ project, manages }: { project: Project; manages: boolean }) {
  const seesHistory = roleAllows(useWorkspace().role, 'audit.read')
  const { dialog, open, close } = useDialog()
  const [pasted, setPasted] = useState('')
  const list = projectVariables(project.id)
  const editText = (text = '') => {
    setPasted(text)
    open(asText)
  }
  if (manages && dialog === asText) return <EnvironmentText {...{ list, pasted }} onClose={close} />
  return (
    <EnvironmentCard
      list={list}
      words={variableTexts}
      manages={manages}
      seesHistory={seesHistory}
      onEditText={editText}
    />
  )
}

const variableTexts = {
  title: 'Variables',
  description:
    'Shared by all applications in the project. Application variables with the same name take precedence.',
  empty: 'Add variables that several applications in the project need, such as a database URL or an API key.',
}
