import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { NO_SPACE } from './disk.ts'

const LINE = /^(?:(?<who>[^|]*)\|)?(?<level>LOG|WARNING|ERROR|FATAL|PANIC): +(?<text>.*)$/
/** A statement, a detail, or how one goes on: may quote somebody's data. */
const ADDITION = /^\t|^[^|]*\|[A-Z]+: /
const TELLING = /was terminated by|exited with exit code|not properly shut down|could not/
const READY = 'database system is ready to accept connections'
const CRASHED = 'all server processes terminated; reinitializing'
const LONGEST_LINE = 1000

export interface PostgresEvents {
  /** The last word of a PostgreSQL that gave up. */
  onFatal(text: string): void
  onNoSpace(): void
  onReady(): void
  onCrashed(): void
}

export type ProblemLog = Pick<Log, 'warn' | 'error'>

/** Follows what PostgreSQL writes: what matters goes to `log`, what says how it is goes to `heard`. */
export function followPostgresLog(stderr: Readable, log: ProblemLog, heard: PostgresEvents): void {
  createInterface({ input: stderr }).on('line', (line) => {
    const groups = LINE.exec(line)?.groups
    if (!groups && ADDITION.test(line)) return
    const { who = '', level = '', text = line } = groups ?? {}
    if (NO_SPACE.test(text)) heard.onNoSpace()
    if (text === READY) heard.onReady()
    if (text === CRASHED) heard.onCrashed()
    // A client is told itself, and the words may quote its data.
    const toClient = /client|not initialized/.test(who) && level !== 'PANIC'
    if (toClient || (level === 'LOG' && !TELLING.test(text))) return
    if (level === 'FATAL' || level === 'PANIC') heard.onFatal(text)
    const severe = level === 'ERROR' || level === 'FATAL' || level === 'PANIC'
    log[severe ? 'error' : 'warn']({}, `PostgreSQL: ${text.slice(0, LONGEST_LINE)}`)
  })
}

/** Passes on so many lines in each period and then how many it kept back. */
export function rateLimitLog(log: Log, most: number, period: number): ProblemLog {
  let begin = Date.now()
  let count = 0
  const pass = (level: 'warn' | 'error') => (fields: object, text: string) => {
    if (Date.now() - begin > period) {
      if (count > most) log.warn({}, `PostgreSQL: ${count - most} log lines dropped`)
      begin = Date.now()
      count = 0
    }
    count += 1
    if (count <= most) log[level](fields, text)
  }
  return { warn: pass('warn'), error: pass('error') }
}
