import type { ReactNode } from 'react'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface CatalogSectionProps<Data> {
  /** "regions" */
  things: string
  query: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> }
  children: (data: Data) => ReactNode
}

export function CatalogSection<Data>({ things, query, children }: CatalogSectionProps<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error)
    return (
      <Problem title={`The ${things} could not be loaded`} onRetry={() => void refetch()}>
        {error.message}
      </Problem>
    )
  return <Skeleton className="h-28" />
}
