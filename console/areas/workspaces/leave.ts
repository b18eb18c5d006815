import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'
import { switchCachedWorkspace, findCurrentWorkspace } from './queries.ts'

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
