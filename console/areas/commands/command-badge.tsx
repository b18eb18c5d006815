import { Badge } from '../../ui/badge.tsx'
import { commandWord } from './command-words.ts'
import type { Command } from './queries.ts'

export function CommandBadge({ command }: { command: Pick<Command, 'status' | 'exit_code'> }) {
  const [tone, word] = commandWord(command)
  return <Badge tone={tone}>{word}</Badge>
}
