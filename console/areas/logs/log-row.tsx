import { memo } from 'react'
import { useMaskedText } from '../../lib/address.tsx'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { classNames } from '../../ui/class-names.ts'
import { ansiCss } from '../../ui/ansi/ansi-css.ts'
import { type Level, levelColors } from './search/level.ts'
import { clockTime, lineTime } from './format-line.ts'
import { type LogEntry, type LogLine, maxShownLength } from './feed/log-entry.ts'
import { findMatches, type MatchRange } from './search/matcher.ts'
import { type AnsiPiece, type AnsiStyle, parseAnsi, plainStyle } from '../../ui/ansi/ansi.ts'

interface Part {
  from: number
  text: string
  style: AnsiStyle
  marked: boolean
}

export function splitLine(line: Pick<LogLine, 'text' | 'raw'>, ranges: readonly MatchRange[]): Part[] {
  const pieces: AnsiPiece[] =
    line.raw === undefined ? [{ text: line.text, style: plainStyle }] : parseAnsi(line.raw)
  const edges = ranges.flat()
  const parts: Part[] = []
  let from = 0
  for (const { text, style } of pieces) {
    const until = Math.min(from + text.length, maxShownLength)
    const cuts = [from, ...edges.filter((edge) => edge > from && edge < until), until]
    for (let at = 1; at < cuts.length; at++) {
      const [begin = 0, end = 0] = [cuts[at - 1], cuts[at]]
      if (end > begin)
        parts.push({
          from: begin,
          text: text.slice(begin - from, end - from),
          style,
          marked: ranges.some(([first, last]) => begin >= first && begin < last),
        })
    }
    from = until
    if (from >= maxShownLength) break
  }
  return parts
}

/** `links` jump to the time of the line, while `clock` only shows that time. */
export type Timestamps = 'none' | 'links' | 'clock'

interface LogRowProps {
  number: number
  entry: LogEntry
  timestamps: Timestamps
  wrap: boolean
  /** Pattern of the search, if the line matches. */
  pattern: RegExp | undefined
  current: boolean
  origin?: string | undefined
  failed?: boolean
  onOpen: (line: LogLine) => void
  top?: number
}

export const LogRow = memo(function LogRow({
  number,
  entry,
  wrap,
  current,
  failed = false,
  top,
  ...rest
}: LogRowProps) {
  return (
    <div
      data-number={number}
      {...(failed && { 'data-failed': true })}
      data-level={entry.kind === 'line' ? entry.level : undefined}
      style={top === undefined ? undefined : { position: 'absolute', top }}
      className={classNames(
        'flex min-h-5 min-w-full hover:bg-hover',
        wrap ? 'w-full' : 'w-max',
        !failed && !current && entry.kind === 'line' && isProgram(entry) && 'bg-subtle',
        failed && 'bg-red-soft font-medium hover:bg-red-soft',
        current && 'bg-yellow-soft hover:bg-yellow-soft',
      )}
    >
      {entry.kind === 'note' ? <Note text={entry.text} /> : <Line line={entry} wrap={wrap} {...rest} />}
    </div>
  )
})

function Note({ text }: { text: string }) {
  return (
    <p className="sticky left-0 max-w-full px-3 font-sans text-muted italic">
      <span aria-hidden className="mr-2 not-italic">
        —
      </span>
      {text}
    </p>
  )
}

const isProgram = ({ origin }: LogLine) => origin !== undefined && origin !== 'slipway'

interface LineProps extends Pick<LogRowProps, 'timestamps' | 'wrap' | 'pattern' | 'origin' | 'onOpen'> {
  line: LogLine
}

function Line({ line: whole, timestamps, wrap, pattern, origin, onOpen }: LineProps) {
  const mask = useMaskedText()
  const line = whole.origin === 'slipway' ? maskLine(whole, mask) : whole
  const ranges = pattern ? findMatches(line.text.slice(0, maxShownLength), pattern) : []
  return (
    <>
      <LogGutter level={line.level} stream={line.stream} />
      {line.at !== undefined && <LineTime at={line.at} timestamps={timestamps} />}
      <LineOrigin origin={origin} />
      <span className={textClass(wrap)}>
        {line.text.length > maxShownLength && <CutMark line={line} onOpen={onOpen} />}
        {splitLine(line, ranges).map(({ from, text, style, marked }) =>
          marked ? (
            <mark
              key={from}
              className="rounded-sm bg-yellow/45 text-ink"
              style={ansiCss({ ...style, ink: undefined })}
            >
              {text}
            </mark>
          ) : (
            <span key={from} style={ansiCss(style)}>
              {text}
            </span>
          ),
        )}
      </span>
    </>
  )
}

/** Masks addresses before the search, whose marks would split them into pieces that no mask recognizes. */
function maskLine(line: LogLine, mask: (text: string) => string): LogLine {
  const text = mask(line.text)
  return text === line.text ? line : { ...line, text, raw: undefined }
}

/** The mark precedes the text, because the end of an unwrapped line is far to the right. */
function CutMark({ line, onOpen }: Pick<LineProps, 'line' | 'onOpen'>) {
  return (
    <span className="sticky left-0 mr-2 inline-block bg-page pr-1 font-sans text-muted select-none">
      Truncated at {maxShownLength.toLocaleString('en')} characters
      <button
        type="button"
        onClick={() => onOpen(line)}
        className="ml-1 rounded-sm px-1 text-accent-ink underline"
      >
        Show all ({formatBytes(line.text.length)})
      </button>
    </span>
  )
}

export const textClass = (wrap: boolean) =>
  classNames('pr-3', wrap ? 'min-w-0 flex-1 break-all whitespace-pre-wrap' : 'whitespace-pre')

/** Lines without a level or stream also have a gutter, so that all texts are aligned. */
export function LogGutter({ level, stream }: { level?: Level | undefined; stream: LogLine['stream'] }) {
  return (
    <>
      <span
        aria-hidden
        className={classNames('my-px w-1 shrink-0 rounded-full', level && levelColors[level])}
      />
      <span className="w-8 shrink-0 pl-1.5 text-muted select-none">
        {stream === 'stderr' && (
          <>
            <span aria-hidden title="stderr">
              err
            </span>
            <span className="sr-only">Error output: </span>
          </>
        )}
      </span>
    </>
  )
}

export function LineTime({ at, timestamps }: { at: string; timestamps: Timestamps }) {
  if (timestamps === 'none') return null
  return timestamps === 'links' ? <TimeLink at={at} /> : <Clock at={at} />
}

/** Narrow logs have no space for the origin and show it only as a background. */
export const LineOrigin = ({ origin }: Pick<LogRowProps, 'origin'>) =>
  origin !== undefined && (
    <span className="w-20 shrink-0 font-sans text-muted select-none @max-xl/log:sr-only">{origin}</span>
  )

const exactly = (at: string) => `${at.replace('T', ' ').replace('Z', '')} UTC`

function Clock({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)} className="shrink-0 pr-3 text-muted">
      {clockTime(at)}
    </time>
  )
}

/** The link lets users copy the URL of a line. `LogLines` handles clicks. */
function TimeLink({ at }: { at: string }) {
  const { day, time } = lineTime(at)
  return (
    <a
      href={`?since=${encodeURIComponent(at)}`}
      title={exactly(at)}
      tabIndex={-1}
      draggable={false}
      className="shrink-0 pr-3 text-muted hover:underline"
    >
      <time dateTime={at}>
        <span className="@max-2xl:hidden">{day} </span>
        {time}
      </time>
    </a>
  )
}
