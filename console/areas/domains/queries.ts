import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { listQuery } from '../../lib/http/list-query.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

type Domains = Reply<Api['GET /v1/applications/{id}/domains']>
export type Domain = Domains['domains'][number]
export type GeneratedDomain = NonNullable<Domains['generated']>
type DomainFields = Input<Api['POST /v1/applications/{id}/domains']>['body']
type Certificate = Input<Api['PUT /v1/applications/{id}/domains/{domain_id}/certificate']>['body']

/** A changed domain affects other data of the application, so all its queries are invalidated. */
const shown = ['applications']

export const domainsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'domains', id],
    queryFn: ({ signal }) => callApi('GET /v1/applications/{id}/domains', { params: { id } }, signal),
  })

export type ListedDomain = Reply<Api['GET /v1/domains']>['domains'][number]

export const allDomainsQuery = (q: string) =>
  listQuery(
    [...shown, 'all-domains', q],
    (page, signal) => callApi('GET /v1/domains', { query: { q: q || undefined, ...page } }, signal),
    ({ domains }) => domains,
  )

/** DNS changes cause no event, so poll. */
export const dnsQuery = (id: string, { id: domainId, host }: Domain) =>
  queryOptions({
    queryKey: [...shown, 'dns', id, domainId, host],
    queryFn: async ({ signal }) => {
      const input = { params: { id, domain_id: domainId } }
      return (await callApi('GET /v1/applications/{id}/domains/{domain_id}/dns', input, signal)).problem
    },
    refetchInterval: 30_000,
    retry: false,
    meta: { quiet: true },
  })

export const useSaveDomain = (id: string) =>
  useApiMutation(shown, ({ domainId, ...body }: DomainFields & { domainId: string | undefined }) =>
    domainId === undefined
      ? callApi('POST /v1/applications/{id}/domains', { params: { id }, body })
      : callApi('PUT /v1/applications/{id}/domains/{domain_id}', {
          params: { id, domain_id: domainId },
          body,
        }),
  )

export const useRemoveDomain = (id: string) =>
  useApiMutation(shown, (domainId: string) =>
    callApi('DELETE /v1/applications/{id}/domains/{domain_id}', { params: { id, domain_id: domainId } }),
  )

export const useVerifyDomain = (id: string) =>
  useApiMutation(shown, (domainId: string) =>
    callApi('POST /v1/applications/{id}/domains/{domain_id}/verify', { params: { id, domain_id: domainId } }),
  )

export const useUploadCertificate = (id: string, domainId: string) =>
  useApiMutation(shown, (body: Certificate) =>
    callApi('PUT /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
      body,
    }),
  )

export const useRemoveCertificate = (id: string) =>
  useApiMutation(shown, (domainId: string) =>
    callApi('DELETE /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
    }),
  )

export const useOrderCertificate = (id: string) =>
  useApiMutation(shown, (domainId: string) =>
    callApi('POST /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
    }),
  )
