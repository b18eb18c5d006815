import { useInfiniteQuery } from '@tanstack/react-query'
import { Boxes, List, Plus, Server as ServerIcon, Waypoints } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationColumns } from '../../areas/applications/application-columns.tsx'
import { type Application, applicationsQuery } from '../../areas/applications/queries.ts'
import { type Candidate, MemberCard, MembersDialog } from '../../areas/projects/members-dialog.tsx'
import type { MemberKind, Project } from '../../areas/projects/queries.ts'
import { type Server, serversQuery } from '../../areas/servers/queries.ts'
import { serverColumns } from '../../areas/servers/server-columns.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { lazyPage } from '../../lib/lazy-page.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useParam } from '../../lib/use-param.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { applicationPath, newProjectApplicationPath, serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SegmentedChoice } from '../../ui/form/segmented-choice.tsx'

const ProjectMap = lazyPage(async () => (await import('./map/project-map.tsx')).ProjectMap)

const views = [
  { value: 'map', label: 'Map', icon: Waypoints },
  { value: 'list', label: 'List', icon: List },
]

interface OverviewProps {
  project: Project
  manages: boolean
}

export function ProjectOverview({ project, manages }: OverviewProps) {
  const { dialog, open, close } = useDialog()
  const isWide = useMedia('(min-width: 768px)')
  const [view, setView] = useParam('view')
  const creates = roleAllows(useWorkspace().role, 'applications.manage')
  const showsMap = isWide && view !== 'list'
  const isEmpty = project.applications.total + project.servers.total === 0
  const create = creates && (
    <ButtonLink variant="primary" to={newProjectApplicationPath(project.id)}>
      <Plus aria-hidden />
      New application
    </ButtonLink>
  )
  return (
    <>
      {isWide && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <SegmentedChoice
            name="view"
            legend="View"
            options={views}
            value={showsMap ? 'map' : 'list'}
            onChange={(value) => setView(value === 'list' ? value : '')}
          />
          {showsMap && (
            <div className="flex gap-2">
              {manages && <Button onClick={() => open('servers')}>Choose servers</Button>}
              {manages && <Button onClick={() => open('applications')}>Choose applications</Button>}
              {!isEmpty && create}
            </div>
          )}
        </div>
      )}
      {showsMap ? (
        <ProjectMap project={project} action={create} />
      ) : (
        <ProjectLists project={project} creates={creates} onChoose={manages ? open : undefined} />
      )}
      {manages && dialog === 'applications' && <ChooseApplications project={project} onClose={close} />}
      {manages && dialog === 'servers' && <ChooseServers project={project} onClose={close} />}
    </>
  )
}

interface ListsProps {
  project: Project
  creates: boolean
  onChoose: ((kind: MemberKind) => void) | undefined
}

function ProjectLists({ project: { id }, creates, onChoose }: ListsProps) {
  const applications = useInfiniteQuery(applicationsQuery('', id))
  const servers = useInfiniteQuery(serversQuery('', id))
  return (
    <>
      <MemberCard
        projectId={id}
        kind="applications"
        icon={Boxes}
        none="Add applications to group them and share variables."
        query={applications}
        columns={[name, state, server, containers]}
        href={(row) => applicationPath(row.id)}
        more={
          creates && (
            <ButtonLink size="small" to={newProjectApplicationPath(id)}>
              New application
            </ButtonLink>
          )
        }
        onChoose={onChoose && (() => onChoose('applications'))}
      />
      <MemberCard
        projectId={id}
        kind="servers"
        icon={ServerIcon}
        none="Add servers to monitor them here."
        query={servers}
        columns={[serverColumns.name, serverColumns.status, serverColumns.address]}
        href={(row) => serverPath(row.id)}
        onChoose={onChoose && (() => onChoose('servers'))}
      />
    </>
  )
}

const { name, state, server, containers } = applicationColumns

interface ChooseProps {
  project: Project
  onClose: () => void
}

function ChooseApplications({ project, onClose }: ChooseProps) {
  const query = useInfiniteQuery(applicationsQuery(''))
  useAllPages(query, true)
  const candidates = query.data?.map((row) => candidateOf(row, project))
  return <MembersDialog kind="applications" {...{ project, candidates, query, onClose }} />
}

const candidateOf = ({ id, name, server, project }: Application, here: Project): Candidate => ({
  id,
  name,
  help: `on ${server.name}`,
  elsewhere: project !== null && project.id !== here.id ? project.name : undefined,
  member: project?.id === here.id,
})

function ChooseServers({ project, onClose }: ChooseProps) {
  const query = useInfiniteQuery(serversQuery(''))
  useAllPages(query, true)
  const candidates = query.data?.map((row) => serverOf(row, project))
  return <MembersDialog kind="servers" {...{ project, candidates, query, onClose }} />
}

const serverOf = ({ id, name, labels, projects }: Server, here: Project): Candidate => ({
  id,
  name,
  help: labels.join(', '),
  member: projects.some((project) => project.id === here.id),
})
