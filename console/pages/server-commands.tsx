import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { CommandCard } from '../areas/commands/command-card.tsx'
import { CommandsCard } from '../areas/commands/commands-card.tsx'
import { CommandPrompt } from '../areas/commands/prompt.tsx'
import { commandsQuery } from '../areas/commands/queries.ts'
import { earlierTexts } from '../areas/commands/recall.ts'
import { useParam } from '../lib/use-param.ts'

export function ServerCommandsPage() {
  const { id: serverId = '' } = useParams()
  const [open, setOpen] = useParam('command')
  const commands = useInfiniteQuery(commandsQuery(serverId))
  const show = ({ id }: { id: string }) => setOpen(id)
  return (
    <>
      <CommandPrompt serverId={serverId} earlier={earlierTexts(commands.data ?? [])} onRun={show} />
      {open !== '' && (
        <CommandCard key={open} serverId={serverId} id={open} onRun={show} onClose={() => setOpen('')} />
      )}
      <CommandsCard query={commands} />
    </>
  )
}
