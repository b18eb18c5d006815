import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatAmount, formatInterval, formatPlanLimits } from './plan-labels.ts'
import type { Plan } from './queries.ts'

interface PlanCardProps {
  plan: Plan
  /** Set for the current plan: the color of its status. */
  current?: Tone | undefined
  warnings?: readonly string[]
  children?: ReactNode
}

export function PlanCard({ plan, current, warnings = [], children }: PlanCardProps) {
  const { name, limits, unavailable_reason: unavailableReason } = plan
  const amount = formatAmount(plan)
  return (
    <li
      className={classNames(
        'flex flex-col gap-4 rounded-lg border bg-raised p-4',
        current ? 'border-accent-ink' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-2">
        <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="text-base font-semibold wrap-anywhere">{name}</h2>
          {current && <Badge tone={current}>Current plan</Badge>}
        </div>
        <p className="flex flex-wrap items-baseline gap-x-1.5">
          {amount === undefined ? (
            <span className="text-muted">Price unavailable</span>
          ) : (
            <>
              <span className="text-2xl font-semibold tracking-tight tabular-nums">{amount}</span>
              <span className="text-muted">{formatInterval(plan)}</span>
            </>
          )}
        </p>
      </div>
      <ul className="flex flex-col gap-1.5">
        {formatPlanLimits(limits).map((words) => (
          <li key={words} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-green-ink" aria-hidden />
            {words}
          </li>
        ))}
      </ul>
      {[...warnings, ...(unavailableReason === null ? [] : [unavailableReason])].map((words) => (
        <p key={words} className="flex gap-2 text-sm">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-yellow-ink" aria-hidden />
          <span className="min-w-0 wrap-anywhere">{words}</span>
        </p>
      ))}
      <div className="mt-auto pt-1 empty:hidden">{children}</div>
    </li>
  )
}
