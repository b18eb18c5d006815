import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'
import { useApiMutation } from '../../lib/form/use-api-mutation.ts'

export type Registry = Reply<Api['GET /v1/registries']>['registries'][number]
type NewRegistry = Input<Api['POST /v1/registries']>['body']
type RegistryChange = Input<Api['PUT /v1/registries/{id}']>['body']

const shown = ['registries', 'list']

export const registriesQuery = infiniteQueryOptions({
  queryKey: shown,
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/registries', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.registries),
  meta: { quiet: true },
})

export const useCreateRegistry = () =>
  useApiMutation(
    ['registries'],
    async (body: NewRegistry) => (await callApi('POST /v1/registries', { body })).registry,
  )

export const useUpdateRegistry = (id: string) =>
  useApiMutation(
    ['registries'],
    async (body: RegistryChange) =>
      (await callApi('PUT /v1/registries/{id}', { params: { id }, body })).registry,
  )

export const useTestRegistry = () =>
  useApiMutation(
    shown,
    async (id: string) => (await callApi('POST /v1/registries/{id}/test', { params: { id } })).registry,
  )

export const useDeleteRegistry = () =>
  useApiMutation(['registries'], (id: string) => callApi('DELETE /v1/registries/{id}', { params: { id } }))
