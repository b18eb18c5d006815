import { ArrowDown } from 'lucide-react'
import {
  type Ref,
  useImperativeHandle,
  useMemo,
  useRef,
  useSyncExternalStore,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useState,
} from 'react'
import { Button } from '../../ui/button.tsx'
import { formatLineCount } from './format-line.ts'
import type { LogEntry, LogLine } from './feed/log-entry.ts'
import { originLabels } from './origin-choice.tsx'
import { LineOrigin, LineTime, LogGutter, LogRow, textClass, type Timestamps } from './log-row.tsx'
import type { FailureTest } from './failure-lines.ts'
import type { LogStore } from './feed/log-store.ts'
import { toPattern } from './search/matcher.ts'
import { createRows, rowHeight, type Rows } from './rows.ts'
import { type LineFilter, lowerBound } from './search/line-filter.ts'
import { useCopy } from './use-copy.ts'
import { useScroll } from './use-scroll.ts'

export interface LogLinesHandle {
  show: (number: number) => void
  inSight: () => { top: number; bottom: number; follows: boolean }
  focus: () => void
}

interface LogLinesProps {
  ref: Ref<LogLinesHandle>
  label: string
  store: LogStore
  lineFilter: LineFilter
  onlyHits: boolean
  timestamps: Timestamps
  wrap: boolean
  showsOrigin: boolean
  startsAtEnd: boolean
  current: number | undefined
  empty: string
  isFailure?: FailureTest | undefined
  onOpen: (line: LogLine) => void
  onTime?: (at: string) => void
}

/** Rows rendered beyond the viewport, so that fast scrolling shows no gaps. */
const spare = 20 * rowHeight

/** A virtual list: renders only the visible rows of a log. */
export function LogLines(props: LogLinesProps) {
  const {
    ref,
    label,
    store,
    lineFilter,
    onlyHits,
    timestamps,
    wrap,
    showsOrigin,
    startsAtEnd,
    current,
    empty,
    isFailure,
    onOpen,
    onTime,
  } = props
  useSyncExternalStore(store.subscribe, () => store.version)
  const [text, sample, drawn] = [
    useRef<HTMLSpanElement>(null),
    useRef<HTMLSpanElement>(null),
    useRef<HTMLDivElement>(null),
  ]
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(text, sample)
  const rows = useMemo(() => createRows(store), [store])
  rows.update(lineFilter, { onlyHits, columns: wrap ? columns : undefined })
  const { top, height, show, ...scroll } = useScroll(box, rows, startsAtEnd)
  const { pinned, ...copy } = useCopy(box, rows, timestamps !== 'none')
  const pattern = useMemo(
    () => lineFilter.criteria.query && toPattern(lineFilter.criteria.query),
    [lineFilter],
  )
  const from = rows.indexAt(top - spare)
  const until = Math.min(rows.count, rows.indexAt(top + height + spare) + 1)
  useMeasuring(drawn, rows, wrap, scroll.redraw)
  useImperativeHandle(ref, () => ({
    show,
    inSight: () => ({
      top: rows.numberAt(rows.indexAt(top)),
      bottom: rows.numberAt(rows.indexAt(top + height - 1)),
      follows: scroll.follows,
    }),
    focus: () => box.current?.focus(),
  }))

  function row(index: number, floats = false) {
    const [number, entry] = [rows.numberAt(index), rows.entryAt(index)]
    if (!entry) return null
    const before = rows.entryAt(index - 1)
    const printedBy = originOf(entry)
    const isHit = lineFilter.hits[lowerBound(lineFilter.hits, number)] === number
    return (
      <LogRow
        key={number}
        {...{ number, entry, timestamps, wrap, onOpen }}
        pattern={isHit ? pattern : undefined}
        current={isHit && number === current}
        origin={showsOrigin ? (index > 0 && printedBy === originOf(before) ? '' : printedBy) : undefined}
        failed={isFailure?.(entry) === true}
        {...(floats ? { top: rows.topOf(index) } : {})}
      />
    )
  }
  const drawnIndexes = Array.from({ length: Math.max(0, until - from) }, (_, index) => from + index)
  const floating = [...new Set(pinned.map(rows.indexOf))].filter((index) => index < from || index >= until)

  return (
    <div className="@container relative flex-1">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the handler serves the links inside */}
      <div
        ref={box}
        role="log"
        // A screen reader that announced every line would announce nothing else.
        aria-live="off"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the element scrolls, so the keyboard must reach it
        tabIndex={0}
        onScroll={scroll.onScroll}
        onClick={(event) => onTime && pressTime(event, onTime)}
        {...copy}
        className="absolute inset-0 overflow-auto bg-page font-mono text-xs leading-5 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        {rows.count === 0 && <p className="px-3 py-2 font-sans text-muted">{empty}</p>}
        <div
          className="relative"
          style={{ height: rows.total, minWidth: wrap ? undefined : `${Math.min(store.widest, 2000)}ch` }}
        >
          {floating.filter((index) => index < from).map((index) => row(index, true))}
          <div ref={drawn} className="absolute min-w-full" style={{ top: rows.topOf(from) }}>
            {drawnIndexes.map((index) => row(index))}
          </div>
          {floating.filter((index) => index >= until).map((index) => row(index, true))}
        </div>
        <div aria-hidden className="invisible absolute inset-x-0 top-0 flex h-0 overflow-hidden">
          <LogGutter stream="stdout" />
          <LineTime at="2030-01-31T12:00:00Z" timestamps={timestamps} />
          <LineOrigin origin={showsOrigin ? '' : undefined} />
          <span ref={text} className={textClass(true)}>
            <span ref={sample} className="absolute">
              {ruler}
            </span>
          </span>
        </div>
      </div>
      {!scroll.follows && rows.total > height && (
        <Button size="small" className="absolute right-5 bottom-4 shadow-float" onClick={scroll.toEnd}>
          <ArrowDown aria-hidden />
          Jump to latest
          {scroll.news > 0 && (
            <span className="text-muted">{formatLineCount(scroll.news, 'new line', 'new lines')}</span>
          )}
        </Button>
      )}
    </div>
  )
}

const originOf = (entry: LogEntry | undefined) =>
  entry?.kind === 'line' && entry.origin !== undefined ? originLabels[entry.origin] : ''

/** A single listener serves all time links. The browser handles clicks with a modifier key. */
function pressTime(event: MouseEvent<HTMLElement>, onTime: (at: string) => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const at = link?.querySelector('time')?.dateTime
  if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  onTime(at)
}

/** Wrapped lines may be higher than estimated, so measure rendered ones. */
function useMeasuring(drawn: RefObject<HTMLElement | null>, rows: Rows, wrap: boolean, redraw: () => void) {
  useLayoutEffect(() => {
    if (!wrap || !drawn.current) return
    const wrong = new Map<number, number>()
    for (const element of drawn.current.children) {
      if (!(element instanceof HTMLElement)) continue
      const index = rows.indexOf(Number(element.dataset['number']))
      const height = element.offsetHeight
      if (Math.abs(rows.topOf(index + 1) - rows.topOf(index) - height) > 0.5) wrong.set(index, height)
    }
    if (wrong.size === 0) return
    rows.correct(wrong)
    redraw()
  })
}

const signs = 100
const ruler = '0'.repeat(signs)

/** Returns the number of characters that fit in a line, or an estimate before the first measurement. */
function useColumns(text: RefObject<HTMLElement | null>, sample: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(100)
  useLayoutEffect(() => {
    const [box, measure] = [text.current, sample.current]
    if (!box || !measure) return undefined
    const measureColumns = () => {
      const padding = Number.parseFloat(getComputedStyle(box).paddingRight)
      const sign = measure.getBoundingClientRect().width / signs
      // Browsers do not wrap a text that is wider by a fraction of a pixel, so round up a little.
      if (sign > 0) setColumns(Math.max(1, Math.floor((box.clientWidth - padding) / sign + 0.01)))
    }
    const observer = new ResizeObserver(measureColumns)
    observer.observe(box)
    observer.observe(measure)
    return () => observer.disconnect()
  }, [text, sample])
  return columns
}
