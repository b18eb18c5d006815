import { type ReactNode, type RefObject, useState } from 'react'
import { useSettings } from '../../lib/settings.ts'
import { classNames } from '../../ui/class-names.ts'
import type { LogLine } from './log-entry.ts'
import { LogLines, type LogLinesHandle } from './log-lines.tsx'
import type { Timestamps } from './log-row.tsx'
import { LogSearch } from './log-search.tsx'
import type { LogStore } from './log-store.ts'
import type { LogFilter } from './use-log-filter.ts'
import { useSieve } from './use-sieve.ts'
import { useSteps } from './use-steps.ts'
import { WholeLine } from './whole-line.tsx'

interface LogFrameProps {
  /** "Log of web-1" */
  label: string
  /** How much room it takes, and where. */
  look: string
  /** Whether it takes the whole width of the page. */
  wide?: boolean
  lines: RefObject<LogLinesHandle | null>
  store: LogStore
  filter: LogFilter
  timestamps: Timestamps
  startsAtEnd: boolean
  /** Stands there while there is no line. */
  empty: string
  onTime?: (at: string) => void
  /** Beside the search. */
  tools: ReactNode
  /** Below the lines. */
  status: ReactNode
  /** What it asks. */
  dialogs?: ReactNode
}

/** The lines of a log, with a search above them and how it stands with them below. */
export function LogFrame(props: LogFrameProps) {
  const { label, look, wide = false, lines, store, filter, timestamps, startsAtEnd, empty } = props
  const { log_wrap: wrap } = useSettings()
  const sieve = useSieve(store, filter.wanted)
  const { current, step } = useSteps(lines, sieve)
  const [whole, setWhole] = useState<LogLine>()
  return (
    <section
      aria-label={label}
      {...(wide && { 'data-wide': true })}
      className={classNames('@container/log flex flex-col overflow-hidden border border-line', look)}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-subtle px-2 py-1.5">
        <LogSearch
          filter={filter}
          sieve={sieve}
          current={current}
          onStep={step}
          onLeave={() => lines.current?.focus()}
        />
        {props.tools}
        {sieve.problem !== undefined && (
          <p role="alert" className="w-full px-1 text-sm text-red-ink">
            {sieve.problem}
          </p>
        )}
      </div>
      <LogLines
        ref={lines}
        {...{ label, store, sieve, wrap, current, timestamps, startsAtEnd, empty }}
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
