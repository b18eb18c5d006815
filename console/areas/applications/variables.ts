import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Pair } from '../../../contract/entries.ts'
import { call } from '../../lib/call.ts'
import { useChange } from '../../lib/use-change.ts'

export type Variable = Reply<Api['GET /v1/applications/{id}/env']>['env'][number]

const shown = ['applications']

/** Their names; the values are asked for only when somebody wants to see them. */
export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'env', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/applications/{id}/env', { params: { id }, query: { values: 'false' } }, signal))
        .env,
    meta: { quiet: true },
  })

const readValues = async (id: string, signal?: AbortSignal) =>
  (await call('GET /v1/applications/{id}/env', { params: { id }, query: { values: 'true' } }, signal)).env

/** What was shown is not kept anywhere once it is out of sight. */
export const useReadVariables = (id: string) => useMutation({ mutationFn: () => readValues(id), gcTime: 0 })

/** The values to begin an edit of all with: they stay as they are until that ends, whatever changes meanwhile. */
export const variableValuesQuery = (id: string) =>
  queryOptions({
    queryKey: ['variable-values', id],
    queryFn: ({ signal }) => readValues(id, signal),
    staleTime: 'static',
    gcTime: 0,
    meta: { quiet: true },
  })

/** A new one, unless it has an id. */
export const useSaveVariable = (id: string) =>
  useChange(shown, ({ envId, ...body }: Pair & { envId?: string | undefined }) =>
    envId === undefined
      ? call('POST /v1/applications/{id}/env', { params: { id }, body })
      : call('PUT /v1/applications/{id}/env/{env_id}', { params: { id, env_id: envId }, body }),
  )

export const useReplaceVariables = (id: string) =>
  useChange(
    shown,
    (env: readonly Pair[]) =>
      call('PUT /v1/applications/{id}/env', { params: { id }, body: { env: [...env] } }),
    true,
  )

export const useRemoveVariable = (id: string) =>
  useChange(shown, (envId: string) =>
    call('DELETE /v1/applications/{id}/env/{env_id}', { params: { id, env_id: envId } }),
  )
