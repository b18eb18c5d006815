import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'

interface StatCardProps {
  label: string
  icon: LucideIcon
  value: number | undefined
  failed: boolean
  note: string
  to?: string
}

const numbers = new Intl.NumberFormat('en')

export function StatCard({ label, icon: Icon, value, failed, note, to }: StatCardProps) {
  return (
    <div
      className={classNames(
        'relative flex flex-col gap-1 rounded-lg border border-line bg-raised p-4 max-sm:p-3',
        to && 'hover:border-edge hover:bg-subtle',
      )}
    >
      <span className="flex items-center gap-2 text-sm font-medium text-muted">
        <Icon className="size-4 max-sm:hidden" aria-hidden />
        {to ? (
          <Link to={to} className={wholeCardClasses}>
            {label}
          </Link>
        ) : (
          label
        )}
      </span>
      <span className="flex h-9 items-center text-2xl font-semibold tracking-tight tabular-nums">
        {value === undefined ? <Missing failed={failed} /> : numbers.format(value)}
      </span>
      <span className="text-sm text-muted">{note}</span>
    </div>
  )
}

const Missing = ({ failed }: { failed: boolean }) =>
  failed ? <span title="Could not load">–</span> : <Skeleton sized className="h-7 w-12" />

const wholeCardClasses = classNames(
  'outline-none after:absolute after:inset-0 after:rounded-lg',
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-ink',
)
