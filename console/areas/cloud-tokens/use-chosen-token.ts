import { useInfiniteQuery } from '@tanstack/react-query'
import { useParam } from '../../lib/use-param.ts'
import { useEveryPage } from '../../lib/http/use-every-page.ts'
import { cloudTokensQuery } from './queries.ts'

/** The cloud token that the address names; the only one there is needs no naming. */
export function useChosenToken() {
  const query = useInfiniteQuery(cloudTokensQuery)
  useEveryPage(query, true)
  const { data: tokens, isPending, isError, refetch } = query
  const [id] = useParam('token')
  const token = tokens?.find((one) => one.id === id) ?? (tokens?.length === 1 ? tokens[0] : undefined)
  return { tokens, token, isPending, isError, refetch }
}
