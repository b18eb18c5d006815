import { ConnectionCard } from '../areas/servers/connection-card.tsx'
import { DeleteServerCard } from '../areas/servers/delete-server-card.tsx'
import { GeneralCard } from '../areas/servers/general-card.tsx'
import { KeyCard } from '../areas/servers/key-card.tsx'
import { PortsCard } from '../areas/servers/ports-card.tsx'
import type { Server } from '../areas/servers/queries.ts'
import { SetUpAgainCard } from '../areas/servers/set-up-again-card.tsx'

export function ServerSettings({ server }: { server: Server }) {
  // Until its cloud has made it, there is nothing to reach.
  const made = server.status !== 'provisioning'
  const remote = server.kind === 'ssh' && made
  return (
    <>
      <GeneralCard server={server} />
      {remote && <ConnectionCard server={server} />}
      {remote && <KeyCard server={server} />}
      {made && <PortsCard server={server} />}
      {made && <SetUpAgainCard server={server} />}
      <DeleteServerCard server={server} />
    </>
  )
}
