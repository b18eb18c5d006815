import { Boxes, Plus } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationColumns, deploymentColumn } from '../../areas/applications/application-columns.tsx'
import { isDeploying } from '../../areas/applications/application-status.ts'
import { DeployingLabel } from '../../areas/applications/application-badge.tsx'
import { type Application, applicationsQuery } from '../../areas/applications/queries.ts'
import { DeploymentBadge } from '../../areas/deployments/deployment-badge.tsx'
import { useProjectFilter } from '../../areas/projects/project-choice.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { applicationPath, newProjectApplicationPath, paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { ListPage } from '../list-page.tsx'

export function ApplicationsPage() {
  const manages = roleAllows(useWorkspace().role, 'applications.manage')
  const project = useProjectFilter()
  const action = manages && <NewLink project={project.value} />
  return (
    <ListPage
      title="Applications"
      things="applications"
      icon={Boxes}
      action={action}
      empty={{
        title: 'No applications yet',
        text: 'Applications run your websites, APIs and databases. Deploy a GitHub repository, a Docker image or a compose file to one of your servers.',
        action: manages ? (
          <div className="flex flex-wrap justify-center gap-2">
            {action}
            <ButtonLink to={paths.templates}>Browse templates</ButtonLink>
          </div>
        ) : (
          'Ask a workspace member to create one.'
        ),
      }}
      layout={{
        columns: [name, state, server, source, containers, memory, lastDeployment],
        href: ({ id }) => applicationPath(id),
      }}
      filter={project}
      query={(q) => applicationsQuery(q, project.value)}
    />
  )
}

const NewLink = ({ project }: { project: string }) => (
  <ButtonLink
    variant="primary"
    to={project === '' ? paths.createApplication : newProjectApplicationPath(project)}
  >
    <Plus aria-hidden />
    New application
  </ButtonLink>
)

const { name, state, server, source, memory, containers } = applicationColumns
const lastDeployment = deploymentColumn((deployment) => (
  <span className="flex flex-col items-start gap-0.5 py-1 whitespace-nowrap">
    {deployment.status !== 'completed' && <LatestBadge deployment={deployment} />}
    <Time at={deployment.created_at} />
    {deployment.status === 'completed' && (
      <bdi className="max-w-32 truncate text-muted">{deployment.actor.name}</bdi>
    )}
  </span>
))

function LatestBadge({ deployment }: { deployment: NonNullable<Application['deployment']> }) {
  if (isDeploying({ deployment })) return <DeployingLabel deployment={deployment} />
  return <DeploymentBadge deployment={deployment} />
}
