import { useInfiniteQuery } from '@tanstack/react-query'
import { Boxes, Server as ServerIcon } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationColumns } from '../../areas/applications/application-columns.tsx'
import { type Application, applicationsQuery } from '../../areas/applications/queries.ts'
import { type Candidate, MemberCard, MembersDialog } from '../../areas/projects/members-dialog.tsx'
import type { Project } from '../../areas/projects/queries.ts'
import { type Server, serversQuery } from '../../areas/servers/queries.ts'
import { serverColumns } from '../../areas/servers/server-columns.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { applicationPath, newProjectApplicationPath, serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'

export function ProjectOverview({ project, manages }: { project: Project; manages: boolean }) {
  const { id } = project
  const makes = roleAllows(useWorkspace().role, 'applications.manage')
  const { dialog, open, close } = useDialog()
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
        columns={[name, state, server, address, containers]}
        href={(row) => applicationPath(row.id)}
        more={
          makes && (
            <ButtonLink size="small" to={newProjectApplicationPath(id)}>
              New application
            </ButtonLink>
          )
        }
        onChoose={manages ? () => open('applications') : undefined}
      />
      <MemberCard
        projectId={id}
        kind="servers"
        icon={ServerIcon}
        none="Add servers to monitor them here."
        query={servers}
        columns={[serverColumns.name, serverColumns.status, serverColumns.address]}
        href={(row) => serverPath(row.id)}
        onChoose={manages ? () => open('servers') : undefined}
      />
      {manages && dialog === 'applications' && <ChooseApplications project={project} onClose={close} />}
      {manages && dialog === 'servers' && <ChooseServers project={project} onClose={close} />}
    </>
  )
}

const { name, state, server, address, containers } = applicationColumns

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
