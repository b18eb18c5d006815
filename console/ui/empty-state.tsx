import { type LucideIcon, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface EmptyStateProps {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Renders a row, for one of several cards on a page. */
  compact?: boolean
}

export function EmptyState({ icon: Icon, title, children, action, compact = false }: EmptyStateProps) {
  if (compact)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5 text-sm wrap-anywhere">
          <p className="font-medium">{title}</p>
          {children && <p className="text-muted">{children}</p>}
        </div>
        {action}
      </div>
    )
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      {Icon && (
        <span className="flex size-9 items-center justify-center rounded-lg border border-line bg-subtle">
          <Icon className="size-4 text-muted" aria-hidden />
        </span>
      )}
      <div className="flex max-w-full flex-col items-center gap-1 wrap-anywhere">
        <p className="font-medium">{title}</p>
        {children && <p className="max-w-md text-balance text-muted">{children}</p>}
      </div>
      {action}
    </div>
  )
}

export function NothingFound({ things, q, onClear }: { things: string; q: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={`No ${things} match “${q}”`}
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  )
}
