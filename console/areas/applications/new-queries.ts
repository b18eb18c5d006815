import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import type { NewApplication } from './new-body.ts'

/** What making it would do. What was asked a moment ago is still so. */
export const reviewQuery = (body: NewApplication) =>
  queryOptions({
    queryKey: ['review', body],
    queryFn: async ({ signal }) => (await call('POST /v1/applications/review', { body }, signal)).review,
    staleTime: 10_000,
    // The key holds the environment: it stays no longer than it is needed.
    gcTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  })

export function useCreateApplication() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: NewApplication) => (await call('POST /v1/applications', { body })).application,
    onSuccess: () => client.invalidateQueries({ queryKey: ['applications'] }),
  })
}

/** The first deployment of what was just made. */
export function useFirstDeployment() {
  return useMutation({
    mutationFn: async (id: string) =>
      (await call('POST /v1/applications/{id}/deploy', { params: { id }, body: {} })).deployment,
  })
}
