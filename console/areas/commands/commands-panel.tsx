import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useParam } from '../../lib/use-param.ts'
import { CommandCard } from './command-card.tsx'
import { CommandPrompt } from './command-prompt.tsx'
import { type Command, commandsQuery } from './queries.ts'
import { uniqueCommands } from './prompt-history.ts'
import { SquareTerminal } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../../contract/shared/duration.ts'
import { CommandBadge } from './command-status.tsx'

interface CommandsPanelProps {
  serverId: string
  /** Limits the list to one container; without it, commands of the server and all its containers are listed. */
  containerId?: string
}

export function CommandsPanel({ serverId, containerId }: CommandsPanelProps) {
  const [open, setOpen] = useParam('command')
  const commands = useInfiniteQuery(commandsQuery(serverId, containerId))
  const show = ({ id }: { id: string }) => setOpen(id)
  const place = { serverId, ...(containerId !== undefined && { containerId }) }
  return (
    <>
      <CommandPrompt {...place} earlier={uniqueCommands(commands.data ?? [])} onRun={show} />
      {open !== '' && (
        <CommandCard key={open} serverId={serverId} id={open} onRun={show} onClose={() => setOpen('')} />
      )}
      <CommandsCard query={commands} inContainer={containerId !== undefined} />
    </>
  )
}

interface CommandsCardProps {
  query: UseInfiniteQueryResult<Command[]>
  /** Hides the container name, which is the same in every row. */
  inContainer?: boolean
}

function CommandsCard({ query, inContainer = false }: CommandsCardProps) {
  return (
    <>
      <Card title="Command history" flush>
        <QueryTable
          label="Command history"
          things="commands"
          query={query}
          empty={{
            icon: SquareTerminal,
            title: 'No commands yet',
            text: `Commands that you run ${inContainer ? 'in this container' : 'on this server'} and their output are kept for 30 days.`,
          }}
          columns={inContainer ? columns : [withContainer, ...others]}
          rowKey={({ id }) => id}
          href={({ id }) => `?command=${id}`}
          skeletonRows={3}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const Text = ({ command }: Command) => (
  <span className="line-clamp-1 font-mono text-sm break-all" dir="ltr" title={command}>
    {command}
  </span>
)

const withContainer: Column<Command> = {
  head: 'Command',
  cell: (command) => (
    <>
      <Text {...command} />
      {command.container_name !== null && (
        <span className="line-clamp-1 text-xs break-all text-muted">in {command.container_name}</span>
      )}
    </>
  ),
}

const others: Column<Command>[] = [
  { head: 'Status', cell: (command) => <CommandBadge command={command} />, narrow: true, phone: 'first-end' },
  {
    head: 'Run by',
    phone: 'second',
    cell: ({ actor }) => (
      <span dir="auto" className="block max-w-40 truncate sm:text-left" title={actor.name}>
        {actor.name}
      </span>
    ),
  },
  {
    head: 'Duration',
    desk: true,
    cell: ({ created_at: from, finished_at: to }) => (
      <span className="whitespace-nowrap tabular-nums">{to === null ? '–' : formatElapsed(from, to)}</span>
    ),
    narrow: true,
  },
  { head: 'Started', cell: ({ created_at: at }) => <Time at={at} />, narrow: true, phone: 'second-end' },
]

const columns: [Column<Command>, ...Column<Command>[]] = [{ head: 'Command', cell: Text }, ...others]
