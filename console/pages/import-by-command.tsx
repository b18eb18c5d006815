import { useQuery } from '@tanstack/react-query'
import { ImportCommand } from '../areas/imports/import-command.tsx'
import { arrivalsQuery, importTokenQuery } from '../areas/imports/queries.ts'
import { ServerArrival } from '../areas/servers/server-arrival.tsx'
import { Card } from '../ui/card.tsx'

export function ImportByCommand() {
  const { data: token } = useQuery(importTokenQuery())
  const { data: arrived = [] } = useQuery({
    ...arrivalsQuery(token?.made_at ?? ''),
    enabled: token !== undefined,
  })
  return (
    <>
      <Card
        title="Paste this on the server, as root"
        description="It authorises the key of Slipway, reports the key of the server, and changes nothing else. Read it first if you like: it is a short script."
      >
        <ImportCommand served={arrived.length > 0} />
      </Card>
      {arrived.map((server) => (
        <ServerArrival key={server.id} id={server.id} />
      ))}
      {arrived.length === 0 && (
        <Card>
          <output className="flex items-center gap-3 text-muted">
            <span className="size-2 animate-breathe rounded-full bg-yellow" aria-hidden />
            Waiting for the server. It appears here by itself.
          </output>
        </Card>
      )}
    </>
  )
}
