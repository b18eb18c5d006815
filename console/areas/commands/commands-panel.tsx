import { useInfiniteQuery } from '@tanstack/react-query'
import { useParam } from '../../lib/use-param.ts'
import { CommandCard } from './command-card.tsx'
import { CommandsCard } from './commands-card.tsx'
import { CommandPrompt } from './command-prompt.tsx'
import { commandsQuery } from './queries.ts'
import { uniqueCommands } from './prompt-history.ts'

interface CommandsPanelProps {
  serverId: string
  /** Undefined includes the server and all its containers. */
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
