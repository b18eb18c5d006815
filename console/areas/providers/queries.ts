import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type Region = Reply<Api['GET /v1/providers/{p}/regions']>['regions'][number]
export type ServerType = Reply<Api['GET /v1/providers/{p}/server-types']>['server_types'][number]
export type ServerImage = Reply<Api['GET /v1/providers/{p}/images']>['images'][number]

export interface CatalogSource {
  provider: string
  tokenId: string
}

const staleTime = 60_000

const catalogParams = ({ provider, tokenId }: CatalogSource) => ({
  params: { p: provider },
  query: { cloud_token_id: tokenId },
})

export const regionsQuery = (source: CatalogSource) =>
  queryOptions({
    queryKey: ['providers', 'regions', source],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/providers/{p}/regions', catalogParams(source), signal)).regions,
    staleTime,
  })

export const serverTypesQuery = (source: CatalogSource) =>
  queryOptions({
    queryKey: ['providers', 'server-types', source],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/providers/{p}/server-types', catalogParams(source), signal)).server_types,
    staleTime,
  })

export const serverImagesQuery = (source: CatalogSource) =>
  queryOptions({
    queryKey: ['providers', 'images', source],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/providers/{p}/images', catalogParams(source), signal)).images,
    staleTime,
  })
