import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'

export type Region = Reply<Api['GET /v1/providers/{p}/regions']>['regions'][number]
export type ServerType = Reply<Api['GET /v1/providers/{p}/server-types']>['server_types'][number]
export type ServerImage = Reply<Api['GET /v1/providers/{p}/images']>['images'][number]

export interface Source {
  provider: string
  tokenId: string
}

const staleTime = 60_000

const asked = ({ provider, tokenId }: Source) => ({
  params: { p: provider },
  query: { cloud_token_id: tokenId },
})

export const regionsQuery = (source: Source) =>
  queryOptions({
    queryKey: ['providers', 'regions', source],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/providers/{p}/regions', asked(source), signal)).regions,
    staleTime,
    meta: { quiet: true },
  })

export const serverTypesQuery = (source: Source) =>
  queryOptions({
    queryKey: ['providers', 'server-types', source],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/providers/{p}/server-types', asked(source), signal)).server_types,
    staleTime,
    meta: { quiet: true },
  })

export const serverImagesQuery = (source: Source) =>
  queryOptions({
    queryKey: ['providers', 'images', source],
    queryFn: async ({ signal }) => (await call('GET /v1/providers/{p}/images', asked(source), signal)).images,
    staleTime,
    meta: { quiet: true },
  })
