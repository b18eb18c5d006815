import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { Skeleton } from './skeleton.tsx'

export interface Crumb {
  /** Undefined while loading. */
  label: string | null
  to?: string
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.to ?? crumb.label ?? 'waiting'}
            className="flex min-w-0 items-center gap-1 not-last:max-sm:shrink-[2]"
          >
            {index > 0 && <ChevronRight className="size-3.5 shrink-0 text-faint" aria-hidden />}
            {crumb.label === null ? (
              <Skeleton className="mx-1 h-4 w-24" />
            ) : crumb.to ? (
              <Link to={crumb.to} className="truncate rounded-sm px-1 text-muted hover:text-ink">
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate px-1 font-medium">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
