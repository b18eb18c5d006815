import { useEffect } from 'react'

interface Pages {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** What is searched or sorted here, and not by the server, has to be here as a whole. */
export function useEveryPage(pages: Pages, wanted: boolean) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  const due = wanted && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (due) void fetchNextPage()
  }, [due, fetchNextPage])
}
