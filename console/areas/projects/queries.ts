import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import type { VariableList } from '../../lib/form/variable-list.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Project = Reply<Api['GET /v1/projects']>['projects'][number]

export const projectsQuery = (q: string) =>
  listQuery(
    ['projects', 'list', q],
    (page, signal) => callApi('GET /v1/projects', { query: { q: q || undefined, ...page } }, signal),
    ({ projects }) => projects,
  )

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/projects/{id}', { params: { id } }, signal)).project,
  })

export type ProjectMap = Reply<Api['GET /v1/projects/{id}/map']>['map']
export type MapApplication = ProjectMap['applications'][number]

export const projectMapQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'map', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/projects/{id}/map', { params: { id } }, signal)).map,
  })

type NewProject = Input<Api['POST /v1/projects']>['body']
type ProjectChange = Input<Api['PUT /v1/projects/{id}']>['body']

const shown = ['projects']

export const useCreateProject = () =>
  useApiMutation(shown, async (body: NewProject) => (await callApi('POST /v1/projects', { body })).project)

export const useUpdateProject = (id: string) =>
  useApiMutation(shown, (body: ProjectChange) => callApi('PUT /v1/projects/{id}', { params: { id }, body }))

/**
 * Deletes a project. Lists are invalidated only after `onDone` has left the page, because its project no longer exists.
 */
export function useDeleteProject(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('DELETE /v1/projects/{id}', { params: { id } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: shown })
    },
  })
}

export type MemberKind = 'applications' | 'servers'

/** Changes the members of a project. Applications that belong to another project move, as the dialog warns. */
export function useChangeMembers(id: string, kind: MemberKind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ add, remove }: { add: readonly string[]; remove: readonly string[] }) => {
      const params = { id }
      if (add.length > 0)
        await callApi('POST /v1/projects/{id}/attach', { params, body: { [kind]: [...add], move: true } })
      if (remove.length > 0)
        await callApi('POST /v1/projects/{id}/detach', { params, body: { [kind]: [...remove] } })
    },
    // Refetch even if only the first of the two requests succeeded.
    onSettled: () =>
      Promise.all([kind, ...shown].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}

export const projectVariables = (id: string): VariableList => ({
  id,
  shown,
  read: async (values, signal) => {
    const input = { params: { id }, query: { values: String(values) } }
    return (await callApi('GET /v1/projects/{id}/env', input, signal)).env
  },
  create: (body) => callApi('POST /v1/projects/{id}/env', { params: { id }, body }),
  update: (envId, body) =>
    callApi('PUT /v1/projects/{id}/env/{env_id}', { params: { id, env_id: envId }, body }),
  replace: (env) => callApi('PUT /v1/projects/{id}/env', { params: { id }, body: { env } }),
  remove: (envId) => callApi('DELETE /v1/projects/{id}/env/{env_id}', { params: { id, env_id: envId } }),
})
