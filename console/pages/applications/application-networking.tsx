import { useQuery } from '@tanstack/react-query'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { NetworksCard } from '../../areas/applications/entries/networks-card.tsx'
import { PortsCard } from '../../areas/applications/entries/ports-card.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { servicesQuery } from '../../areas/compose/queries.ts'
import { servicePorts } from '../../areas/compose/service-labels.ts'
import { DomainsCard } from '../../areas/domains/domains-card.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

export function ApplicationNetworkingPage({
  application: { id, server, source },
}: {
  application: ApplicationDetails
}) {
  const { role } = useWorkspace()
  const { data } = useServer(server.id)
  const { data: deployed } = useQuery({ ...servicesQuery(id), enabled: source.services !== null })
  const manages = roleAllows(role, 'applications.manage')
  return (
    <>
      <DomainsCard
        applicationId={id}
        address={data?.address ?? null}
        manages={manages}
        services={source.services?.map((name) => {
          const known = deployed?.find((service) => service.name === name)
          const published = known !== undefined && known.ports.length > 0
          return { name, ports: known ? servicePorts(known) : [], published }
        })}
      />
      <PortsCard
        applicationId={id}
        server={server.name}
        manages={manages}
        fromFile={source.services !== null}
      />
      <NetworksCard applicationId={id} />
    </>
  )
}
