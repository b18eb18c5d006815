import type { DetachedResult } from '../../remote/detached.ts'
import type { CommandRow, Ending } from './store.ts'

/** How a command ended, by what the server says of it. */
export function endingOf(row: CommandRow, { reason: why, code, truncated }: DetachedResult): Ending {
  if (why === 'ended') return { status: 'completed', exit_code: code, error: null, truncated }
  if (why === 'cancelled') return { status: 'cancelled', exit_code: null, error: null, truncated }
  if (why === 'timed_out')
    return { status: 'timed_out', exit_code: null, error: timedOut(row.timeout_seconds), truncated }
  // It was only to be looked for, and was not there.
  if (row.cancel_requested_at && !row.begun_at)
    return { status: 'cancelled', exit_code: null, error: null, truncated }
  return lostWith(
    'The server went down while the command was running. Its result is unknown. Check the server before you run it again.',
    truncated,
  )
}

/** Nobody knows how it ended. */
export const lostWith = (error: string, truncated = false): Ending => ({
  status: 'lost',
  exit_code: null,
  error,
  truncated,
})

const timedOut = (seconds: number) =>
  `The command timed out after ${seconds} second${seconds === 1 ? '' : 's'} and was stopped. Run it again with a longer time limit if needed.`

/** Nothing of it ran. */
export const notBegun = (error: string): Ending => ({
  status: 'failed',
  exit_code: null,
  error,
  truncated: false,
})

export const outOfReach = lostWith(
  'The server stayed unreachable after the time limit of the command. Its result is unknown. Check the server before you run it again.',
)
