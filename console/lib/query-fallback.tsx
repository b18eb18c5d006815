import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { Problem } from '../ui/problem.tsx'
import { isNotFound } from './http/api-error.ts'

interface QueryFallbackProps {
  query: { error: Error | null; refetch: () => unknown }
  failed: string
  skeleton: ReactNode
  missing?: ReactNode
  card?: boolean
}

/** Stands in for missing data: a skeleton while it loads, or the reason if loading failed. */
export function QueryFallback({ query, failed, skeleton, missing, card }: QueryFallbackProps) {
  const { error, refetch } = query
  if (!error) return skeleton
  if (missing && isNotFound(error)) return missing
  const problem = <Problem title={failed} error={error} onRetry={refetch} />
  return card ? <Card flush>{problem}</Card> : problem
}
