import { may } from '../../contract/permissions.ts'
import { PortsCard } from '../areas/applications/ports-card.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { DomainsCard } from '../areas/domains/domains-card.tsx'
import { useServer } from '../areas/servers/use-server.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'

export function ApplicationNetworkingPage({
  application: { id, server },
}: {
  application: ApplicationDetails
}) {
  const { role } = useWorkspace()
  const { data } = useServer(server.id)
  const manages = may(role, 'applications.manage')
  return (
    <>
      <DomainsCard applicationId={id} address={data?.address ?? null} manages={manages} />
      <PortsCard applicationId={id} server={server.name} manages={manages} />
    </>
  )
}
