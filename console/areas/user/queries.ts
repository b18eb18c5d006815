import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

export const userQuery = queryOptions({
  queryKey: ['user', 'me'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/user', undefined, signal)).user,
})

/** Returns the current user. The shell loads the user before any page, so this hook never suspends. */
export const useUser = () => useSuspenseQuery(userQuery).data

export function useRenameUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => callApi('PUT /v1/user', { body: { name } }),
    onSuccess: ({ user }) => {
      client.setQueryData(userQuery.queryKey, user)
      // The member list shows the name, so refetch it.
      return client.invalidateQueries({ queryKey: ['workspaces'] })
    },
  })
}

/** Changes the password, which ends all other sessions. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { current_password?: string; password: string; revoke_tokens: boolean }) =>
      callApi('PUT /v1/user/password', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['user'] }),
  })
}
