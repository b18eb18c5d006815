import { type ReactNode, type RefObject, useState, useEffect, useMemo, useReducer } from 'react'
import { useSettings } from '../../lib/local-settings.ts'
import { AnsiText } from '../../ui/ansi/ansi-text.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { LogLine } from './feed/log-entry.ts'
import { LogLines, type LogLinesHandle } from './log-lines.tsx'
import type { Timestamps } from './log-row.tsx'
import { LogSearch } from './search/log-search.tsx'
import type { FailureTest } from './failure-lines.ts'
import type { LogStore } from './feed/log-store.ts'
import type { LogFilter } from './search/use-log-filter.ts'
import { type LineFilter, type FilterCriteria, createLineFilter, nextHit } from './search/line-filter.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

interface LogFrameProps {
  label: string
  className: string
  wide?: boolean
  lines: RefObject<LogLinesHandle | null>
  store: LogStore
  filter: LogFilter
  timestamps: Timestamps
  startsAtEnd: boolean
  empty: string
  showsOrigin?: boolean
  isFailure?: FailureTest | undefined
  onTime?: (at: string) => void
  tools: ReactNode
  status: ReactNode
  dialogs?: ReactNode
}

export function LogFrame(props: LogFrameProps) {
  const {
    label,
    className,
    wide = false,
    lines,
    store,
    filter,
    timestamps,
    startsAtEnd,
    empty,
    showsOrigin = false,
    isFailure,
  } = props
  const { log_wrap: wrap } = useSettings()
  const lineFilter = useLineFilter(store, filter.criteria)
  const { current, step } = useSteps(lines, lineFilter)
  const [whole, setWhole] = useState<LogLine>()
  return (
    <section
      aria-label={label}
      {...(wide && { 'data-wide': true })}
      className={classNames('@container/log flex flex-col overflow-hidden border border-line', className)}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-subtle px-2 py-1.5">
        <LogSearch
          filter={filter}
          lineFilter={lineFilter}
          current={current}
          onStep={step}
          onLeave={() => lines.current?.focus()}
        />
        {props.tools}
        {lineFilter.problem !== undefined && (
          <p role="alert" className="w-full px-1 text-sm text-red-ink">
            {lineFilter.problem}
          </p>
        )}
      </div>
      <LogLines
        ref={lines}
        {...{
          label,
          store,
          lineFilter,
          wrap,
          current,
          timestamps,
          startsAtEnd,
          empty,
          showsOrigin,
          isFailure,
        }}
        onlyHits={filter.only}
        onOpen={setWhole}
        {...(props.onTime && { onTime: props.onTime })}
      />
      {props.status}
      {props.dialogs}
      {whole && <WholeLine line={whole} onClose={() => setWhole(undefined)} />}
    </section>
  )
}

/** `criteria` must be referentially stable, because a new object restarts the filter. */
function useLineFilter(store: LogStore, criteria: FilterCriteria): LineFilter {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const lineFilter = useMemo(() => createLineFilter(store, criteria, redraw), [store, criteria])
  useEffect(() => {
    const forget = store.subscribe(lineFilter.update)
    lineFilter.update()
    redraw()
    return () => {
      forget()
      lineFilter.stop()
    }
  }, [store, lineFilter])
  return lineFilter
}

function useSteps(lines: RefObject<LogLinesHandle | null>, lineFilter: LineFilter) {
  const [current, setCurrent] = useState<number>()

  function step(by: 1 | -1) {
    const { top = 0, bottom = 0 } = lines.current?.inSight() ?? {}
    const target = nextHit(lineFilter.hits, current ?? (by === 1 ? top - 1 : bottom + 1), by)
    if (target === undefined) return
    setCurrent(target)
    lines.current?.show(target)
  }

  return { current, step }
}

function WholeLine({ line, onClose }: { line: LogLine; onClose: () => void }) {
  return (
    <Dialog open wide onOpenChange={onClose} title={`Line (${formatBytes(line.text.length)})`}>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the element scrolls, so the keyboard must reach it
        tabIndex={0}
        aria-label="Full line"
        className="max-h-[60dvh] overflow-auto rounded-md border border-line bg-subtle p-3 text-xs leading-5 break-all whitespace-pre-wrap"
      >
        <AnsiText>{line.raw ?? line.text}</AnsiText>
      </pre>
      <DialogActions>
        <CopyButton text={line.text} label="Copy line" variant="secondary">
          Copy
        </CopyButton>
      </DialogActions>
    </Dialog>
  )
}
