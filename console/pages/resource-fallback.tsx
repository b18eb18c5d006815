import type { LucideIcon } from 'lucide-react'
import { isNotFound } from '../lib/http/api-error.ts'
import type { Crumb } from '../ui/breadcrumbs.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useSetTrail } from '../ui/trail.tsx'

interface ResourceFallbackProps {
  title: string
  parents: readonly Crumb[]
  /** Undefined while loading. */
  error: Error | null
  onRetry: () => void
  words: {
    icon: LucideIcon
    /** "Server not found" */
    gone: string
    why: string
    /** Link to the list. */
    others: { to: string; label: string }
    /** "The server could not be loaded" */
    failed: string
  }
}

/** Shown while a resource is loading, not found or failed to load. */
export function ResourceFallback({ title, parents, error, onRetry, words }: ResourceFallbackProps) {
  useSetTrail([...parents, { label: error ? title : null }])
  if (!error) return <Waiting />
  return (
    <>
      <PageHeader title={title} parents={parents} />
      <div className="rounded-lg border border-line bg-raised">
        {isNotFound(error) ? (
          <EmptyState
            icon={words.icon}
            title={words.gone}
            action={<ButtonLink to={words.others.to}>{words.others.label}</ButtonLink>}
          >
            {words.why}
          </EmptyState>
        ) : (
          <Problem title={words.failed} onRetry={onRetry}>
            {error.message || 'Try again in a moment.'}
          </Problem>
        )}
      </div>
    </>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-6" aria-busy="true">
      <h1 className="sr-only">Loading</h1>
      <Skeleton className="h-7 w-48" />
      <div className="flex gap-6 border-b border-line pb-3">
        <Skeleton className="h-5 w-16" />
        <Skeleton className="h-5 w-16" />
      </div>
      <Skeleton className="h-72 w-full rounded-lg!" />
    </div>
  )
}
