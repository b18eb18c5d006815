import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

export type Invite = Reply<Api['GET /v1/workspaces/invites']>['invites'][number]

export const invitesQuery = infiniteQueryOptions({
  queryKey: ['workspaces', 'invites'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/workspaces/invites', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.invites),
  meta: { quiet: true },
})

export function useInvite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { email: string; role: Role | undefined }) =>
      callApi('POST /v1/workspaces/invite', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  })
}

export function useRevokeInvite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('DELETE /v1/workspaces/invites/{id}', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  })
}
