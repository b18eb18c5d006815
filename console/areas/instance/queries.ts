import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Instance = Reply<Api['GET /v1/instance']>['instance']
export type InstanceSettings = Reply<Api['GET /v1/instance/settings']>['settings']
export type SettingsChange = Input<Api['PUT /v1/instance/settings']>['body']

export const instanceQuery = queryOptions({
  queryKey: ['instance', 'overview'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/instance', undefined, signal)).instance,
  refetchInterval: 30_000,
})

export const instanceSettingsQuery = queryOptions({
  queryKey: ['instance', 'settings'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/instance/settings', undefined, signal)).settings,
})

/** Updates instance settings. Omitted settings stay unchanged; null restores the default. */
export function useUpdateInstanceSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange) => callApi('PUT /v1/instance/settings', { body }),
    onSuccess: ({ settings }) => {
      client.setQueryData(instanceSettingsQuery.queryKey, settings)
      // The login page offers signup and password reset depending on these settings.
      void client.invalidateQueries({ queryKey: ['auth'] })
      return client.invalidateQueries({ queryKey: ['instance'] })
    },
  })
}

export const instanceAuditQuery = (q: string) =>
  listQuery(
    ['instance', 'audit', q],
    (page, signal) => callApi('GET /v1/instance/audit', { query: { q: q || undefined, ...page } }, signal),
    ({ entries }) => entries,
  )

export const useTestMail = () => useMutation({ mutationFn: () => callApi('POST /v1/instance/mail/test') })

export type InstanceUser = Reply<Api['GET /v1/instance/users']>['users'][number]
export type InstanceWorkspace = Reply<Api['GET /v1/instance/workspaces']>['workspaces'][number]

export const instanceUsersQuery = (q: string) =>
  listQuery(
    ['instance', 'users', q],
    (page, signal) => callApi('GET /v1/instance/users', { query: { q: q || undefined, ...page } }, signal),
    ({ users }) => users,
  )

export const allWorkspacesQuery = (q: string) =>
  listQuery(
    ['instance', 'workspaces', q],
    (page, signal) =>
      callApi('GET /v1/instance/workspaces', { query: { q: q || undefined, ...page } }, signal),
    ({ workspaces }) => workspaces,
  )

const shown = ['instance'] as const

export const useChangeUser = () =>
  useApiMutation(shown, ({ id, ...body }: { id: string; instance_owner?: boolean; locked?: boolean }) =>
    callApi('PUT /v1/instance/users/{id}', { params: { id }, body }),
  )

export const useEndUserAccess = () =>
  useApiMutation(shown, (id: string) =>
    callApi('POST /v1/instance/users/{id}/end-access', { params: { id } }),
  )

export const useDeleteUser = () =>
  useApiMutation(shown, ({ id, email }: { id: string; email: string }) =>
    callApi('DELETE /v1/instance/users/{id}', { params: { id }, body: { email } }),
  )

export const useLockWorkspace = () =>
  useApiMutation(shown, ({ id, locked }: { id: string; locked: boolean }) =>
    callApi('PUT /v1/instance/workspaces/{id}', { params: { id }, body: { locked } }),
  )

export const useRemoveWorkspace = () =>
  useApiMutation(shown, ({ id, name }: { id: string; name: string }) =>
    callApi('DELETE /v1/instance/workspaces/{id}', { params: { id }, body: { name } }),
  )

export type HostName = Reply<Api['GET /v1/instance/host-names']>['host_names'][number]

export const hostNamesQuery = (q: string) =>
  listQuery(
    ['instance', 'host-names', q],
    (page, signal) =>
      callApi('GET /v1/instance/host-names', { query: { q: q || undefined, ...page } }, signal),
    ({ host_names }) => host_names,
  )

export const useReleaseHostName = () =>
  useApiMutation(shown, (host: string) =>
    callApi('DELETE /v1/instance/host-names/{host}', { params: { host } }),
  )

export const userActivityQuery = (id: string) =>
  listQuery(
    ['instance', 'activity', id],
    (page, signal) =>
      callApi('GET /v1/instance/users/{id}/activity', { params: { id }, query: { ...page } }, signal),
    ({ events }) => events,
  )
