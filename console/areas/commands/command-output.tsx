import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOutput } from '../../lib/use-output.ts'
import { OutputLog } from '../../ui/output-log.tsx'
import { streamsApart } from './streams-apart.ts'

/** More than anybody reads on a page; all of it can be copied. */
const mostLines = 2_000

interface CommandOutputProps {
  serverId: string
  id: string
  running: boolean
  /** What was said to stderr stands behind all else. */
  apart: boolean
}

/** What a command says, and said. Give it the command's id as a key. */
export function CommandOutput({ serverId, id, running, apart }: CommandOutputProps) {
  const params = { id: serverId, command_id: id }
  const { lines: said, over, lost } = useOutput('GET /v1/servers/{id}/commands/{command_id}/output', params)
  const lines = apart ? streamsApart(said) : said
  const client = useQueryClient()
  useEffect(() => {
    // How it ended is known by then.
    if (over && running) void client.invalidateQueries({ queryKey: ['commands'] })
  }, [over, running, client])
  const hidden = Math.max(0, lines.length - mostLines)
  return (
    <div className="flex flex-col gap-2">
      {hidden > 0 && (
        <p className="text-sm text-muted">
          The last {mostLines.toLocaleString('en')} of {lines.length.toLocaleString('en')} lines are shown.
        </p>
      )}
      <OutputLog
        label="Output"
        lines={lines.slice(hidden)}
        empty={over ? 'No output.' : 'Waiting for output…'}
      />
      {lost && !over && <p className="text-sm text-muted">Reconnecting…</p>}
    </div>
  )
}
