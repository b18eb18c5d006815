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
  /** What printed the line, in logs of deployments. */
  origin?: OutputOrigin | undefined
}

export interface LogNote {
  kind: 'note'
  text: string
}

export type LogEntry = LogLine | LogNote

/** Longer lines are truncated and open in a dialog. */
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
 * Chunks may end within a line: the rest waits, separately per stream. A line has the time of the chunk in which it
 * starts.
 */
export function createLineSplitter() {
  const incomplete: Record<Piece['stream'], Pick<Piece, 'text' | 'at'>> = {
    stdout: { text: '', at: '' },
    stderr: { text: '', at: '' },
  }

  function split({ stream, text, at, origin }: Piece): Piece[] {
    const { text: before, at: startedAt } = incomplete[stream]
    const lines = (before + text).split('\n')
    const last = lines.pop() ?? ''
    const first = before === '' ? at : startedAt
    incomplete[stream] = { text: last, at: lines.length === 0 ? first : at }
    return lines.map((line, index) => ({ stream, text: line, at: index === 0 ? first : at, origin }))
  }

  function rest(): Piece[] {
    const streams = ['stdout', 'stderr'] as const
    return streams.flatMap((stream) => {
      const { text, at } = incomplete[stream]
      incomplete[stream] = { text: '', at: '' }
      return text === '' ? [] : [{ stream, text, at }]
    })
  }

  return { split, rest }
}
