import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'
import { useChange } from '../../lib/form/use-change.ts'

export type Registry = Reply<Api['GET /v1/registries']>['registries'][number]
type NewRegistry = Input<Api['POST /v1/registries']>['body']
type RegistryChange = Input<Api['PUT /v1/registries/{id}']>['body']

const shown = ['registries', 'list']

export const registriesQuery = infiniteQueryOptions({
  queryKey: shown,
  queryFn: ({ pageParam, signal }) =>
    call('GET /v1/registries', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.registries),
  meta: { quiet: true },
})

export const useCreateRegistry = () =>
  useChange(
    ['registries'],
    async (body: NewRegistry) => (await call('POST /v1/registries', { body })).registry,
  )

export const useUpdateRegistry = (id: string) =>
  useChange(
    ['registries'],
    async (body: RegistryChange) =>
      (await call('PUT /v1/registries/{id}', { params: { id }, body })).registry,
  )

export const useTestRegistry = () =>
  useChange(
    shown,
    async (id: string) => (await call('POST /v1/registries/{id}/test', { params: { id } })).registry,
  )

export const useDeleteRegistry = () =>
  useChange(['registries'], (id: string) => call('DELETE /v1/registries/{id}', { params: { id } }))
