import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { OutputOrigin } from '../../../../contract/shared/output-origins.ts'
import { hasAnsi, stripAnsi } from '../../../ui/ansi/ansi.ts'
import { detectLevel, type Level } from '../search/level.ts'

export type LogEvent = Reply<Api['GET /v1/servers/{id}/containers/{cid}/logs']>
type StreamedLine = Extract<LogEvent, { type: 'lines' }>['lines'][number]

export interface LogLine {
  kind: 'line'
  stream: 'stdout' | 'stderr'
  text: string
  raw: string | undefined
  at: string | undefined
  level: Level | undefined
  origin?: OutputOrigin | undefined
}

export interface LogNote {
  kind: 'note'
  text: string
}

export type LogEntry = LogLine | LogNote

/** Longer lines are truncated, and a dialog shows the full line. */
export const maxShownLength = 2000

export function toLogLine({ stream, text, at, origin }: StreamedLine & Pick<LogLine, 'origin'>): LogLine {
  const raw = hasAnsi(text) ? text : undefined
  const seen = raw === undefined ? text : stripAnsi(raw)
  return { kind: 'line', stream, text: seen, raw, at, level: detectLevel(seen), origin }
}

interface Piece {
  stream: 'stdout' | 'stderr'
  text: string
  at: string
  origin?: OutputOrigin | undefined
}

/**
 * Splits chunks into lines. A chunk may end within a line, so the incomplete line waits for the next chunk of the same
 * stream and origin. A line has the time of the chunk in which it starts.
 */
export function createLineSplitter() {
  const incomplete = new Map<string, Piece>()

  function split(piece: Piece): Piece[] {
    const { stream, text, at, origin } = piece
    const key = `${stream} ${origin ?? ''}`
    const before = incomplete.get(key)
    const lines = ((before?.text ?? '') + text).split('\n')
    const last = lines.pop() ?? ''
    const first = before?.at ?? at
    incomplete.delete(key)
    if (last !== '') incomplete.set(key, { ...piece, text: last, at: lines.length === 0 ? first : at })
    return lines.map((line, index) => ({ stream, text: line, at: index === 0 ? first : at, origin }))
  }

  function rest(): Piece[] {
    const pieces = [...incomplete.values()]
    incomplete.clear()
    return pieces
  }

  return { split, rest }
}
