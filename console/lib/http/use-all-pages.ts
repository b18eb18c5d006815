import { useEffect } from 'react'

interface Pages {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Loads all pages, for search and sorting in the browser. */
export function useAllPages(pages: Pages, wanted: boolean) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  const due = wanted && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (due) void fetchNextPage()
  }, [due, fetchNextPage])
}
