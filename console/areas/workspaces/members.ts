import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'
import { findCurrentWorkspace, switchCachedWorkspace } from './queries.ts'

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

/** After leaving, the user switches to another of their workspaces, if any. */
export function useLeaveWorkspace(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (memberId: string) => {
      await callApi('POST /v1/workspaces/members/remove', { body: { member_id: memberId } })
      return findCurrentWorkspace()
    },
    onSuccess: (next) => {
      switchCachedWorkspace(client, next)
      onDone()
    },
  })
}

/** The name confirms which workspace is deleted. */
export function useDeleteWorkspace(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      await callApi('DELETE /v1/workspaces/current', { body: { name } })
      return findCurrentWorkspace()
    },
    onSuccess: (next) => {
      switchCachedWorkspace(client, next)
      onDone()
    },
  })
}
