import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { NO_SPACE } from './files.ts'

const LINE = /^(?:(?<who>[^|]*)\|)?(?<level>LOG|WARNING|ERROR|FATAL|PANIC): +(?<text>.*)$/
/** Matches statements, details and continuation lines, which may quote user data. */
const ADDITION = /^\t|^[^|]*\|[A-Z]+: /
const TELLING = /was terminated by|exited with exit code|not properly shut down|could not/
const READY = 'database system is ready to accept connections'
const CRASHED = 'all server processes terminated; reinitializing'
const LONGEST_LINE = 1000

export interface PostgresEvents {
  onFatal(text: string): void
  onNoSpace(): void
  onReady(): void
  onCrashed(): void
}

export type ProblemLog = Pick<Log, 'warn' | 'error'>

export function followPostgresLog(stderr: Readable, log: ProblemLog, events: PostgresEvents): void {
  createInterface({ input: stderr }).on('line', (line) => {
    const groups = LINE.exec(line)?.groups
    if (!groups && ADDITION.test(line)) return
    const { who = '', level = '', text = line } = groups ?? {}
    if (NO_SPACE.test(text)) events.onNoSpace()
    if (text === READY) events.onReady()
    if (text === CRASHED) events.onCrashed()
    // Errors of a client are not logged, because the client receives them and the message may quote its data.
    const toClient = /client|not initialized/.test(who) && level !== 'PANIC'
    if (toClient || (level === 'LOG' && !TELLING.test(text))) return
    if (level === 'FATAL' || level === 'PANIC') events.onFatal(text)
    const severe = level === 'ERROR' || level === 'FATAL' || level === 'PANIC'
    log[severe ? 'error' : 'warn']({}, `PostgreSQL: ${text.slice(0, LONGEST_LINE)}`)
  })
}

export function rateLimitLog(log: Log, most: number, period: number): ProblemLog {
  let begin = Date.now()
  let count = 0
  const pass = (level: 'warn' | 'error') => (fields: object, text: string) => {
    if (Date.now() - begin > period) {
      if (count > most) log.warn({}, `Dropped ${count - most} log lines of PostgreSQL`)
      begin = Date.now()
      count = 0
    }
    count += 1
    if (count <= most) log[level](fields, text)
  }
  return { warn: pass('warn'), error: pass('error') }
}
