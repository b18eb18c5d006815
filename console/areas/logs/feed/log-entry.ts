import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { hasAnsi, parseAnsi } from '../ansi/ansi.ts'
import { type Level, detectLevel } from '../search/level.ts'

export type LogEvent = Reply<Api['GET /v1/servers/{id}/containers/{cid}/logs']>
type SaidLine = Extract<LogEvent, { type: 'lines' }>['lines'][number]

export interface LogLine {
  kind: 'line'
  stream: 'stdout' | 'stderr'
  /** Text without escape sequences. */
  text: string
  /** Original text, if it differs. */
  raw: string | undefined
  at: string | undefined
  level: Level | undefined
}

export interface LogNote {
  kind: 'note'
  text: string
}

export type LogEntry = LogLine | LogNote

/** Longer lines are truncated and open in a dialog. */
export const maxShownLength = 2000

export function toLogLine({ stream, text, at }: SaidLine): LogLine {
  const raw = hasAnsi(text) ? text : undefined
  const seen =
    raw === undefined
      ? text
      : parseAnsi(raw)
          .map((piece) => piece.text)
          .join('')
  return { kind: 'line', stream, text: seen, raw, at, level: detectLevel(seen) }
}
