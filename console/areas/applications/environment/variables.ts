import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import type { VariableList } from '../../../lib/form/variable-list.ts'

const shown = ['applications']

const readAll = (id: string, values: boolean, signal?: AbortSignal) =>
  callApi('GET /v1/applications/{id}/env', { params: { id }, query: { values: String(values) } }, signal)

export const applicationVariables = (id: string): VariableList => ({
  id,
  shown,
  read: async (values, signal) => (await readAll(id, values, signal)).env,
  create: (body) => callApi('POST /v1/applications/{id}/env', { params: { id }, body }),
  update: (envId, body) =>
    callApi('PUT /v1/applications/{id}/env/{env_id}', { params: { id, env_id: envId }, body }),
  replace: (env) => callApi('PUT /v1/applications/{id}/env', { params: { id }, body: { env } }),
  remove: (envId) => callApi('DELETE /v1/applications/{id}/env/{env_id}', { params: { id, env_id: envId } }),
})

export type Inherited = Reply<Api['GET /v1/applications/{id}/env']>['inherited'][number]

export const readInherited = async (id: string, values: boolean, signal?: AbortSignal) =>
  (await readAll(id, values, signal)).inherited

export const inheritedQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'inherited', id],
    queryFn: ({ signal }) => readInherited(id, false, signal),
  })

/** Merges inherited variables with those of the application, which take precedence. */
export const effectiveValuesQuery = (id: string) =>
  queryOptions({
    queryKey: ['variable-values', id, 'with inherited'],
    queryFn: async ({ signal }) => {
      const { env, inherited } = await readAll(id, true, signal)
      const used = [...inherited.filter(({ overridden }) => !overridden), ...env]
      return used.map(({ key, value }): Pair => ({ key, value: value ?? '' }))
    },
    staleTime: 'static',
    gcTime: 0,
  })
