import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

export type Member = Reply<Api['GET /v1/workspaces/members']>['members'][number]

export const membersQuery = infiniteQueryOptions({
  queryKey: ['workspaces', 'members'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/workspaces/members', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.members),
  meta: { quiet: true },
})

export function useChangeRole() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      callApi('PUT /v1/workspaces/members/{id}', { params: { id }, body: { role } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['workspaces'] }),
  })
}

export function useRemoveMember() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('POST /v1/workspaces/members/remove', { body: { member_id: id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: membersQuery.queryKey }),
  })
}
