import { Failure } from '../../lib/failure.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { Command } from './queries.ts'

export const failedToRun = 'Failed to run command.'

const says: Record<Exclude<Command['status'], 'completed'>, [tone: Tone, word: string]> = {
  running: ['yellow', 'Running'],
  failed: ['red', 'Failed'],
  cancelled: ['neutral', 'Cancelled'],
  timed_out: ['red', 'Timed out'],
  lost: ['red', 'Lost'],
}

/** How it stands with a command; one that has ended by itself is told by its exit code. */
export function commandWord({
  status,
  exit_code: code,
}: Pick<Command, 'status' | 'exit_code'>): [Tone, string] {
  if (status !== 'completed') return says[status]
  return [code === 0 ? 'green' : 'red', code === null ? 'Ended' : `Exit code ${code}`]
}

/** Why it went wrong, if it did. */
export const whyNot = ({ status, error }: Pick<Command, 'status' | 'error'>) =>
  error ?? (status === 'failed' ? failedToRun : undefined)

/** Why it could not even be started. */
export const whyNotStarted = (error: unknown) =>
  error instanceof Failure && error.messages.length > 0 ? error.message : failedToRun

/** "0.4 s", "12 s", "3 min 5 s", "1 h 2 min". */
export function tookWords(from: string, to: string): string {
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return joined([Math.floor(whole / 60), 'min'], [whole % 60, 's'])
  const minutes = Math.round(whole / 60)
  return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
}

const joined = (...parts: [number, string][]) =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
