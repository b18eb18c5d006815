import { useEffect } from 'react'

export const firstPage: string | undefined = undefined

export const nextPage = (last: { page: { next: string | null } }) => last.page.next ?? undefined

/** The first page is small to load fast; later pages are larger. */
export const pageParams = (cursor: string | undefined) => ({ cursor, limit: cursor === undefined ? 50 : 200 })

interface Pages {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Loads all pages, for search and sorting in the browser. */
export function useAllPages(pages: Pages, enabled: boolean) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  const due = enabled && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (due) void fetchNextPage()
  }, [due, fetchNextPage])
}
