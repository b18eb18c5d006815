import { useInfiniteQuery } from '@tanstack/react-query'
import { useParam } from '../../lib/use-param.ts'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { cloudTokensQuery } from './queries.ts'

/** Returns the cloud token of the URL, or the only one. */
export function useChosenToken() {
  const query = useInfiniteQuery(cloudTokensQuery)
  useAllPages(query, true)
  const { data: tokens, isPending, isError, refetch } = query
  const [id] = useParam('token')
  const token = tokens?.find((one) => one.id === id) ?? (tokens?.length === 1 ? tokens[0] : undefined)
  return { tokens, token, isPending, isError, refetch }
}
