import { infiniteQueryOptions } from '@tanstack/react-query'
import { firstPage, nextPage, pageParams } from './paging.ts'

export const listQuery = <
  Page extends { page: { next: string | null } },
  Row,
  const Key extends readonly unknown[],
>(
  queryKey: Key,
  fetchPage: (page: ReturnType<typeof pageParams>, signal: AbortSignal) => Promise<Page>,
  rows: (page: Page) => Row[],
  options: { refetchInterval?: number; retry?: boolean } = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParams(pageParam), signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap(rows),
    ...options,
  })
