import { ApiError } from '../../lib/http/api-error.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Command } from './queries.ts'

export const failedToRun = 'Failed to run command.'

const statusLabels: Record<Exclude<Command['status'], 'completed'>, [tone: Tone, word: string]> = {
  running: ['yellow', 'Running'],
  failed: ['red', 'Failed'],
  cancelled: ['neutral', 'Canceled'],
  timed_out: ['red', 'Timed out'],
  lost: ['red', 'Lost'],
}

/** Returns the label of a status. A completed command shows its exit code instead. */
export function commandStatusLabel({
  status,
  exit_code: code,
}: Pick<Command, 'status' | 'exit_code'>): [Tone, string] {
  if (status !== 'completed') return statusLabels[status]
  return [code === 0 ? 'green' : 'red', code === null ? 'Exited' : `Exit code ${code}`]
}

export const commandError = ({ status, error }: Pick<Command, 'status' | 'error'>) =>
  error ?? (status === 'failed' ? failedToRun : undefined)

export const startError = (error: unknown) =>
  error instanceof ApiError && error.messages.length > 0 ? error.message : failedToRun

export function CommandBadge({ command }: { command: Pick<Command, 'status' | 'exit_code'> }) {
  const [tone, word] = commandStatusLabel(command)
  return <Badge tone={tone}>{word}</Badge>
}
