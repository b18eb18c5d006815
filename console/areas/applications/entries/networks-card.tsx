import { useQuery } from '@tanstack/react-query'
import { projectPath } from '../../../paths.ts'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { type ApplicationNetworks, applicationNetworksQuery } from '../queries.ts'

export function NetworksCard({ applicationId }: { applicationId: string }) {
  const { data, error } = useQuery(applicationNetworksQuery(applicationId))
  return (
    <Card
      title="Networks"
      description="Other applications can reach this one only through its domains, published ports or project network."
    >
      {data ? (
        <Networks {...data} />
      ) : error ? (
        <Notice tone="red" title="Could not load networks">
          {error.message}
        </Notice>
      ) : (
        <Skeleton className="h-20" />
      )}
    </Card>
  )
}

function Networks({ networks, project, hosts }: ApplicationNetworks) {
  const isJoined = networks.some(({ kind }) => kind === 'project')
  return (
    <DefinitionList
      items={[
        {
          term: 'Docker networks',
          value:
            networks.length === 0 ? (
              <span className="text-muted">None. The application is not running.</span>
            ) : (
              <ul className="flex flex-col gap-1">
                {networks.map((network) => (
                  <Network key={network.name} network={network} />
                ))}
              </ul>
            ),
        },
        { term: 'Project network', value: <ProjectNetwork project={project} isJoined={isJoined} /> },
        ...(project?.network && hosts.length > 0
          ? [{ term: hosts.length > 1 ? 'Host names' : 'Host name', value: <Hosts hosts={hosts} /> }]
          : []),
      ]}
    />
  )
}

function Network({
  network: { name, kind, services },
}: {
  network: ApplicationNetworks['networks'][number]
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-mono text-sm">{name}</span>
      <span className="text-sm text-muted">
        {kinds[kind]}
        {services.length > 0 && ` · ${services.join(', ')}`}
      </span>
    </li>
  )
}

const kinds = {
  application: 'Used by the proxy',
  compose: 'From the compose file',
  project: 'Project network',
} as const

function ProjectNetwork({
  project,
  isJoined,
}: {
  project: ApplicationNetworks['project']
  isJoined: boolean
}) {
  if (project === null) return <span className="text-muted">Not in a project</span>
  const where = <TextLink to={projectPath(project.id, 'settings')}>{project.name}</TextLink>
  if (!project.network)
    return isJoined ? (
      <>Off in {where}. The application leaves the network on the next deployment.</>
    ) : (
      <>Off in {where}</>
    )
  return isJoined ? (
    <>On in {where}</>
  ) : (
    <>On in {where}. The application joins the network on the next deployment.</>
  )
}

const Hosts = ({ hosts }: Pick<ApplicationNetworks, 'hosts'>) => (
  <ul className="flex flex-col gap-0.5">
    {hosts.map(({ host }) => (
      <li key={host} className="flex items-center gap-1">
        <span className="font-mono text-sm">{host}</span>
        <CopyButton text={host} label={`Copy ${host}`} />
      </li>
    ))}
  </ul>
)
