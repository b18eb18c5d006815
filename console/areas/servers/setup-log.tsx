import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOutput } from '../../lib/use-output.ts'
import { OutputLog } from '../../ui/output-log.tsx'
import { setupQuery } from './setups.ts'

/** What the latest set-up of a server says. Give it the set-up's id as a key. */
export function SetupLog({ serverId, running }: { serverId: string; running: boolean }) {
  const { lines, over, lost } = useOutput('GET /v1/servers/{id}/setup/log', { id: serverId })
  const client = useQueryClient()
  useEffect(() => {
    // What it says last tells how it ended, and that is known elsewhere by then.
    if (over) void client.invalidateQueries({ queryKey: setupQuery(serverId).queryKey })
  }, [over, client, serverId])
  return (
    <div className="flex flex-col gap-2">
      <OutputLog
        label="Log of the set-up"
        lines={lines}
        empty={running || !over ? 'Waiting for its first words…' : 'It said nothing.'}
      />
      {lost && !over && <p className="text-sm text-muted">Reconnecting…</p>}
    </div>
  )
}
