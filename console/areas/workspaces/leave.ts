import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { enterWorkspace, findCurrentWorkspace } from './queries.ts'

/** Whoever leaves goes on in another workspace of theirs, if there is one. */
export function useLeaveWorkspace(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (memberId: string) => {
      await call('POST /v1/workspaces/members/remove', { body: { member_id: memberId } })
      return findCurrentWorkspace()
    },
    onSuccess: (next) => {
      enterWorkspace(client, next)
      onDone()
    },
  })
}

/** The name is sent along, so that nobody deletes another workspace than the one they looked at. */
export function useDeleteWorkspace(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      await call('DELETE /v1/workspaces/current', { body: { name } })
      return findCurrentWorkspace()
    },
    onSuccess: (next) => {
      enterWorkspace(client, next)
      onDone()
    },
  })
}
