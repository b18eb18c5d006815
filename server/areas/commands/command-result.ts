import type { DetachedResult } from '../../remote/detached.ts'
import type { CommandResult, CommandRow } from './store.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export function toCommandResult(row: CommandRow, { reason, code, truncated }: DetachedResult): CommandResult {
  if (reason === 'ended') return { status: 'completed', exit_code: code, error: null, truncated }
  if (reason === 'cancelled') return { status: 'cancelled', exit_code: null, error: null, truncated }
  if (reason === 'timed_out')
    return { status: 'timed_out', exit_code: null, error: timedOut(row.timeout_seconds), truncated }
  // The command was canceled before it was found to have started.
  if (row.cancel_requested_at && !row.begun_at)
    return { status: 'cancelled', exit_code: null, error: null, truncated }
  return lostResult(
    'The server went down while the command was running. Its result is unknown. Check the server before you run it again.',
    truncated,
  )
}

export const lostResult = (error: string, truncated = false): CommandResult => ({
  status: 'lost',
  exit_code: null,
  error,
  truncated,
})

const timedOut = (seconds: number) =>
  `The command timed out after ${formatCount(seconds, 'second')} and was stopped. Run it again with a longer time limit if needed.`

export const failedResult = (error: string): CommandResult => ({
  status: 'failed',
  exit_code: null,
  error,
  truncated: false,
})

export const unreachableResult = lostResult(
  'The server stayed unreachable after the time limit of the command. Its result is unknown. Check the server before you run it again.',
)
