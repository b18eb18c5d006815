import { ChevronDown, ChevronUp, Filter, Regex } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { SearchInput } from '../../../ui/form/search-input.tsx'
import { LogTool } from '../log-tools.tsx'
import { type LineFilter, lowerBound } from './line-filter.ts'
import type { LogFilter } from './use-log-filter.ts'

interface LogSearchProps {
  filter: LogFilter
  lineFilter: LineFilter
  current: number | undefined
  onStep: (by: 1 | -1) => void
  onLeave: () => void
}

export function LogSearch({ filter, lineFilter, current, onStep, onLeave }: LogSearchProps) {
  const { criteria, only, q, setQ, setRegex, setOnly, leave } = filter

  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLInputElement)) return
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    if (event.key !== 'Escape') return
    leave()
    onLeave()
  }

  const regex = criteria.query?.regex ?? false
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the handler serves the field inside
    <div
      className={classNames(
        'flex min-w-0 items-center gap-1 @max-2xl/log:w-full',
        // The field shrinks, so that the tools keep their labels.
        q !== '' && 'max-w-xl flex-1 basis-80 @max-2xl/log:max-w-none @max-2xl/log:basis-full',
      )}
      onKeyDown={onKeyDown}
    >
      <SearchInput value={q} onChange={setQ} label="Search the log" />
      {q !== '' && (
        <>
          <output className="min-w-16 shrink-0 px-2 text-right text-sm whitespace-nowrap text-muted tabular-nums">
            {formatHits(lineFilter, current)}
          </output>
          <LogTool label="Previous match" Icon={ChevronUp} onClick={() => onStep(-1)} />
          <LogTool label="Next match" Icon={ChevronDown} onClick={() => onStep(1)} />
          <LogTool
            label="Regular expression"
            Icon={Regex}
            aria-pressed={regex}
            onClick={() => setRegex(!regex)}
          />
          <LogTool
            label="Only matching lines"
            Icon={Filter}
            aria-pressed={only}
            onClick={() => setOnly(!only)}
          />
        </>
      )}
    </div>
  )
}

function formatHits(lineFilter: LineFilter, current: number | undefined): string {
  const { hits, problem } = lineFilter
  if (problem !== undefined) return ''
  if (hits.length === 0) return lineFilter.done ? 'No lines' : '…'
  const all = hits.length.toLocaleString('en')
  const at = current === undefined ? -1 : lowerBound(hits, current)
  return hits[at] === current && at >= 0
    ? `${(at + 1).toLocaleString('en')} of ${all}`
    : `${all} ${hits.length === 1 ? 'line' : 'lines'}`
}
