import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { NO_SPACE } from './disk.ts'

const LINE = /^(?:(?<who>[^|]*)\|)?(?<level>LOG|WARNING|ERROR|FATAL|PANIC): +(?<text>.*)$/
const TELLING = /was terminated by|exited with exit code|not properly shut down|could not/
const READY = 'database system is ready to accept connections'
const CRASHED = 'all server processes terminated; reinitializing'

const LONGEST_LINE = 1000
const LINES_A_MINUTE = 60

export interface Heard {
  /** The last word of a PostgreSQL that gave up. */
  onFatal(text: string): void
  onNoSpace(): void
  onReady(): void
  onCrashed(): void
}

/** Follows what PostgreSQL writes: what matters goes to our log, bounded; what says how it is goes to `heard`. */
export function followMessages(stderr: Readable, log: Log, heard: Heard): void {
  const allowed = limit(LINES_A_MINUTE, (left) => log.warn({ left }, 'PostgreSQL said more than is logged'))
  createInterface({ input: stderr }).on('line', (line) => {
    const { who = '', level, text = line } = LINE.exec(line)?.groups ?? {}
    if (NO_SPACE.test(text)) heard.onNoSpace()
    if (text === READY) heard.onReady()
    if (text === CRASHED) heard.onCrashed()
    // A client is told itself, and the words may quote its data.
    const toClient = /client|not initialized/.test(who) && level !== 'PANIC'
    if (toClient || (level === 'LOG' && !TELLING.test(text))) return
    if (level === 'FATAL' || level === 'PANIC') heard.onFatal(text)
    if (!allowed()) return
    const severe = level === 'ERROR' || level === 'FATAL' || level === 'PANIC'
    log[severe ? 'error' : 'warn']({ from: who }, `PostgreSQL: ${text.slice(0, LONGEST_LINE)}`)
  })
}

function limit(most: number, leftOut: (count: number) => void): () => boolean {
  let [start, count] = [Date.now(), 0]
  return () => {
    if (Date.now() - start > 60_000) {
      if (count > most) leftOut(count - most)
      ;[start, count] = [Date.now(), 0]
    }
    count += 1
    return count <= most
  }
}
