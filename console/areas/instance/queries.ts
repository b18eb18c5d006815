import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'
import { useChange } from '../../lib/form/use-change.ts'

export type Instance = Reply<Api['GET /v1/instance']>['instance']
export type InstanceSettings = Reply<Api['GET /v1/instance/settings']>['settings']
export type SettingsChange = Input<Api['PUT /v1/instance/settings']>['body']

export const instanceQuery = queryOptions({
  queryKey: ['instance', 'overview'],
  queryFn: async ({ signal }) => (await call('GET /v1/instance', undefined, signal)).instance,
  refetchInterval: 30_000,
  meta: { quiet: true },
})

export const settingsQuery = queryOptions({
  queryKey: ['instance', 'settings'],
  queryFn: async ({ signal }) => (await call('GET /v1/instance/settings', undefined, signal)).settings,
  meta: { quiet: true },
})

/** Omitted settings stay unchanged; null restores the default. */
export function useChangeSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange) => call('PUT /v1/instance/settings', { body }),
    onSuccess: ({ settings }) => {
      client.setQueryData(settingsQuery.queryKey, settings)
      // The login page offers signup and password reset depending on these settings.
      void client.invalidateQueries({ queryKey: ['auth'] })
      return client.invalidateQueries({ queryKey: ['instance'] })
    },
  })
}

export const instanceAuditQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'audit', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/instance/audit', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.entries),
    meta: { quiet: true },
  })

export const useTestMail = () => useMutation({ mutationFn: () => call('POST /v1/instance/mail/test') })

export type InstanceUser = Reply<Api['GET /v1/instance/users']>['users'][number]
export type InstanceWorkspace = Reply<Api['GET /v1/instance/workspaces']>['workspaces'][number]

export const peopleQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'users', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/instance/users', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.users),
    meta: { quiet: true },
  })

export const allWorkspacesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'workspaces', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/instance/workspaces', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.workspaces),
    meta: { quiet: true },
  })

const shown = ['instance'] as const

interface UserChange {
  id: string
  instance_owner?: boolean
  locked?: boolean
}

export const useChangeUser = () =>
  useChange(shown, ({ id, ...body }: UserChange) =>
    call('PUT /v1/instance/users/{id}', { params: { id }, body }),
  )

export const useEndAccess = () =>
  useChange(shown, (id: string) => call('POST /v1/instance/users/{id}/end-access', { params: { id } }))

export const useDeleteUser = () =>
  useChange(shown, ({ id, email }: { id: string; email: string }) =>
    call('DELETE /v1/instance/users/{id}', { params: { id }, body: { email } }),
  )

export const useLockWorkspace = () =>
  useChange(shown, ({ id, locked }: { id: string; locked: boolean }) =>
    call('PUT /v1/instance/workspaces/{id}', { params: { id }, body: { locked } }),
  )

export const useRemoveWorkspace = () =>
  useChange(shown, ({ id, name }: { id: string; name: string }) =>
    call('DELETE /v1/instance/workspaces/{id}', { params: { id }, body: { name } }),
  )

export type HostName = Reply<Api['GET /v1/instance/host-names']>['host_names'][number]

export const hostNamesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'host-names', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/instance/host-names', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.host_names),
    meta: { quiet: true },
  })

export const useReleaseHostName = () =>
  useChange(shown, (host: string) => call('DELETE /v1/instance/host-names/{host}', { params: { host } }))

export const userActivityQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'activity', id],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/instance/users/{id}/activity', { params: { id }, query: { cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.events),
    meta: { quiet: true },
  })
