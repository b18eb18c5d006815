import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'

export type Session = Reply<Api['GET /v1/user/sessions']>['sessions'][number]

export const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: async ({ signal }) => (await call('GET /v1/user/sessions', undefined, signal)).sessions,
  // Others begin and are used without anybody telling this page.
  staleTime: 0,
  refetchInterval: 30_000,
  meta: { quiet: true },
})

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('DELETE /v1/user/sessions/{id}', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
