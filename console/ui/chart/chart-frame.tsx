import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'

interface ChartFrameProps {
  title: string
  /** Time under the cursor, in seconds. */
  at?: number | undefined
  values: ReactNode
  /** Shows several values on their own line. */
  several: boolean
  children?: ReactNode
}

/** Reserves its size before the chart is loaded. */
export function ChartFrame({ title, at, values, several, children }: ChartFrameProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-w-0 flex-col gap-2 rounded-lg border border-line bg-raised p-4 max-sm:p-3"
    >
      <div className={classNames('flex justify-between gap-x-4 gap-y-1', several && 'flex-col')}>
        <div className="flex items-baseline gap-2 whitespace-nowrap">
          <h3 id={id} className="text-sm font-medium">
            {title}
          </h3>
          {at !== undefined && <time className="text-xs text-muted">{clock(at)}</time>}
        </div>
        {values}
      </div>
      <div className="h-36">{children}</div>
    </section>
  )
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Includes the date unless it is today. */
function clock(at: number): string {
  const when = new Date(at * 1000)
  const today = when.toDateString() === new Date().toDateString()
  return today ? time.format(when) : `${day.format(when)}, ${time.format(when)}`
}

interface ChartValuesProps {
  lines: readonly string[]
  values: readonly string[]
  /** Upper limit of the value. */
  of: string | undefined
  alike: boolean
}

export function ChartValues({ lines, values, of, alike }: ChartValuesProps) {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm tabular-nums">
      {values.map((value, line) => (
        <span key={lines[line]} className="flex items-center gap-1.5 whitespace-nowrap">
          {lines.length > 1 && (
            <>
              <span
                aria-hidden
                className={classNames('w-3.5 shrink-0 border-t-2', (alike ? alikeMarks : marks)[line])}
              />
              <span className="max-w-40 truncate text-muted">{lines[line]}</span>
            </>
          )}
          <span className="font-medium">{value}</span>
          {of && <span className="text-muted">of {of}</span>}
        </span>
      ))}
    </p>
  )
}

/** Must match the colors in chart-look.ts. */
const first = ['border-accent-ink', 'border-dashed border-muted', 'border-dotted border-faint']
const marks = [...first, 'border-dashed border-red-ink']
const alikeMarks = [...first, 'border-dashed border-ink', 'border-dotted border-accent-ink']

/** Loading placeholder. */
export function ChartSkeleton({ title, several }: { title: string; several: boolean }) {
  return (
    <ChartFrame title={title} several={several} values={<Skeleton className="h-5 w-20" />}>
      <Skeleton className="h-full w-full" />
    </ChartFrame>
  )
}
