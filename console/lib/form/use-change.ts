import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Changes something, and asks again for what is shown of it; until that is here the change counts as under way. Who is
 * quiet tells of a failure themselves.
 */
export function useChange<Given, Answer>(
  shown: QueryKey,
  change: (given: Given) => Promise<Answer>,
  quiet = false,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    meta: { quiet },
    onSuccess: () => client.invalidateQueries({ queryKey: shown }),
  })
}
