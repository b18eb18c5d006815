import { Badge } from '../../ui/badge.tsx'
import { commandStatusLabel } from './command-status.ts'
import type { Command } from './queries.ts'

export function CommandBadge({ command }: { command: Pick<Command, 'status' | 'exit_code'> }) {
  const [tone, word] = commandStatusLabel(command)
  return <Badge tone={tone}>{word}</Badge>
}
