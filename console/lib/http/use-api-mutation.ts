import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** Mutation that stays pending until the affected queries are refetched. With `quiet`, the caller shows errors. */
export function useApiMutation<Input, Reply>(
  shown: QueryKey,
  change: (input: Input) => Promise<Reply>,
  quiet = false,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    meta: { quiet },
    onSuccess: () => client.invalidateQueries({ queryKey: shown }),
  })
}
