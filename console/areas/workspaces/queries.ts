import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { notifyOtherTabs } from '../../lib/other-tabs.ts'

export type Workspace = Reply<Api['GET /v1/workspaces/current']>['workspace']

const currentKey = ['workspaces', 'current'] as const

/** Fetches the current workspace; null if the user has none. */
export const currentWorkspaceQuery = queryOptions({
  queryKey: currentKey,
  queryFn: async ({ client, signal }) => {
    const workspace = await findCurrentWorkspace(signal)
    const before = client.getQueryData<Workspace | null>(currentKey)
    // A user who was removed from the workspace continues in another one, which must not show cached data of the first.
    if (before !== undefined && before?.id !== workspace?.id) dropAllOfWorkspace(client)
    return workspace
  },
})

export async function findCurrentWorkspace(signal?: AbortSignal): Promise<Workspace | null> {
  try {
    return (await callApi('GET /v1/workspaces/current', undefined, signal)).workspace
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces', 'list'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/workspaces', { query: { limit: 200 } }, signal)).workspaces,
})

/** Returns the current workspace. The shell loads it before any page, so this hook never suspends. */
export function useWorkspace(): Workspace {
  const { data } = useSuspenseQuery(currentWorkspaceQuery)
  if (!data) throw new Error('useWorkspace requires a loaded workspace.')
  return data
}

/** Switches the workspace. `onDone` is called even if the component that started the switch is unmounted. */
export function useChangeWorkspace(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('POST /v1/workspaces/change/{id}', { params: { id } }),
    onSuccess: ({ workspace }) => {
      switchCachedWorkspace(client, workspace)
      onDone()
    },
  })
}

export const useCreateWorkspace = () =>
  useEnterWorkspace((name: string) => callApi('POST /v1/workspaces', { body: { name } }))

export const useAcceptInvite = () =>
  useEnterWorkspace((token: string) => callApi('POST /v1/workspaces/invite/accept', { body: { token } }))

function useEnterWorkspace(enter: (input: string) => Promise<{ workspace: Workspace }>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: enter,
    onSuccess: ({ workspace }) => switchCachedWorkspace(client, workspace),
  })
}

type Changes = Input<Api['PUT /v1/workspaces/current']>['body']

export function useUpdateWorkspace() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes) => callApi('PUT /v1/workspaces/current', { body }),
    onSuccess: ({ workspace }) => {
      client.setQueryData(currentWorkspaceQuery.queryKey, workspace)
      return client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
  })
}

/** Stores the new workspace in the cache and drops all data of the previous one. */
export function switchCachedWorkspace(client: QueryClient, workspace: Workspace | null) {
  dropAllOfWorkspace(client)
  client.setQueryData(currentWorkspaceQuery.queryKey, workspace)
  notifyOtherTabs()
}

function dropAllOfWorkspace(client: QueryClient) {
  client.removeQueries({
    predicate: ({ queryKey: [area, which] }) =>
      area !== 'user' && area !== 'auth' && !(area === 'workspaces' && which === 'current'),
  })
}
