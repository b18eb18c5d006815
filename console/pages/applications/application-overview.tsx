import { useQuery } from '@tanstack/react-query'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ApplicationContainers } from '../../areas/applications/application-containers.tsx'
import { ApplicationFacts } from '../../areas/applications/application-facts.tsx'
import { type ApplicationDetails, portsQuery } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { ServicesSummary } from '../../areas/compose/services-summary.tsx'
import { containerColumns } from '../../areas/containers/container-columns.tsx'
import { DeploymentsCard } from '../../areas/deployments/deployments-card.tsx'
import { domainsQuery } from '../../areas/domains/queries.ts'
import { useServer } from '../../areas/servers/queries.ts'
import { NotesCard } from '../../areas/templates/notes-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { applicationPath } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'

const latest = 5
/** The release names the image, and the proxy needs no published port. */
const [name, ...others] = containerColumns(new Map())
const columns: ReturnType<typeof containerColumns> = [
  name,
  ...others.filter(({ head }) => head !== 'Image' && head !== 'Ports'),
]

export function ApplicationOverviewPage({ application }: { application: ApplicationDetails }) {
  const { id, address, release } = application
  const { role } = useWorkspace()
  const compose = isCompose(application.source.type)
  const { data: known } = useQuery(domainsQuery(id))
  const { data: ports = [] } = useQuery(portsQuery(id))
  const { data: server } = useServer(application.server.id)
  const addresses = known?.domains.map(({ url }) => url) ?? (address === null ? [] : [address])
  return (
    <>
      {compose && roleAllows(role, 'applications.manage') && <NotesCard applicationId={id} />}
      <ApplicationFacts
        application={application}
        addresses={addresses}
        ports={ports}
        serverAddress={server?.address ?? null}
      />
      {release !== null && compose && <ServicesSummary applicationId={id} />}
      {release !== null && !compose && <ApplicationContainers application={application} columns={columns} />}
      <DeploymentsCard
        applicationId={id}
        latest={{
          most: latest,
          all: <TextLink to={applicationPath(id, 'deployments')}>View all</TextLink>,
        }}
      />
    </>
  )
}
