import { Button } from '../button.tsx'

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

export function LoadMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: LoadMoreProps) {
  if (!hasNextPage) return null
  return (
    <div className="flex justify-center">
      <Button pending={isFetchingNextPage && 'Loading…'} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </div>
  )
}
