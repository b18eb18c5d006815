import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { type Role } from '../../../contract/shared/permissions.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { findCurrentWorkspace, switchCachedWorkspace } from './queries.ts'
import { listQuery } from '../../lib/http/list-query.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

export type Member = Reply<Api['GET /v1/workspaces/members']>['members'][number]

export const membersQuery = listQuery(
  ['workspaces', 'members'],
  (page, signal) => callApi('GET /v1/workspaces/members', { query: { ...page, limit: 200 } }, signal),
  ({ members }) => members,
)

export const useChangeRole = () =>
  useApiMutation(['workspaces'], ({ id, role }: { id: string; role: Role }) =>
    callApi('PUT /v1/workspaces/members/{id}', { params: { id }, body: { role } }),
  )

export const useRemoveMember = () =>
  useApiMutation(membersQuery.queryKey, (id: string) =>
    callApi('POST /v1/workspaces/members/remove', { body: { member_id: id } }),
  )

export type Invite = Reply<Api['GET /v1/workspaces/invites']>['invites'][number]

export const invitesQuery = listQuery(
  ['workspaces', 'invites'],
  (page, signal) => callApi('GET /v1/workspaces/invites', { query: { ...page, limit: 200 } }, signal),
  ({ invites }) => invites,
)

export const useInvite = () =>
  useApiMutation(invitesQuery.queryKey, (body: { email: string; role: Role | undefined }) =>
    callApi('POST /v1/workspaces/invite', { body }),
  )

export const useRevokeInvite = () =>
  useApiMutation(invitesQuery.queryKey, (id: string) =>
    callApi('DELETE /v1/workspaces/invites/{id}', { params: { id } }),
  )

/** Leaves the workspace. The user then switches to another of their workspaces, if any. */
export const useLeaveWorkspace = (onDone: () => void) =>
  useLeaving(onDone, (memberId: string) =>
    callApi('POST /v1/workspaces/members/remove', { body: { member_id: memberId } }),
  )

/** Deletes the workspace. Its name in the request confirms which one is meant. */
export const useDeleteWorkspace = (onDone: () => void) =>
  useLeaving(onDone, (name: string) => callApi('DELETE /v1/workspaces/current', { body: { name } }))

function useLeaving(onDone: () => void, leave: (input: string) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (input: string) => {
      await leave(input)
      return findCurrentWorkspace()
    },
    onSuccess: (next) => {
      switchCachedWorkspace(client, next)
      onDone()
    },
  })
}
