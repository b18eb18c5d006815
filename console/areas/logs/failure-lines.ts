import { stripAnsi } from '../../ui/ansi/ansi.ts'
import type { LogEntry } from './feed/log-entry.ts'
import type { LogStore } from './feed/log-store.ts'
import { detectLevel } from './search/level.ts'

export type FailureTest = (entry: LogEntry) => boolean

/**
 * Returns a test for log lines that tell why a deployment failed. The first error is written by Slipway. The others are
 * the last lines of a program, of which those that announce an error matter, or else the last line before it exited.
 */
export function createFailureTest(errors: readonly string[]): FailureTest {
  const [reason = [], ...rest] = errors.map((error) => stripAnsi(error).split('\n'))
  const lines = [...reason.slice(1), ...rest.flat()].map((line) => line.trim()).filter((line) => line !== '')
  const severe = lines.filter((line) => detectLevel(line) === 'error')
  const last = /\bexit(?:ed)?\b/.test(reason[0] ?? '') ? lines.slice(-1) : []
  const telling = [reason[0]?.trim() ?? '', ...(severe.length > 0 ? severe : last)].filter(Boolean)
  return (entry) => {
    if (entry.kind !== 'line') return false
    const text = entry.text.trim()
    // The log may print "Deployment failed: " or the name of a service before the error.
    return telling.some((line) => text === line || text.endsWith(`: ${line}`))
  }
}

/** Returns the number of the first line that tells why the deployment failed. */
export function findFailure(store: LogStore, isFailure: FailureTest): number | undefined {
  for (let number = store.first; number < store.end; number++) {
    const entry = store.get(number)
    if (entry && isFailure(entry)) return number
  }
  return undefined
}
