import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { useChange } from '../../lib/form/use-change.ts'

type Domains = Reply<Api['GET /v1/applications/{id}/domains']>
export type Domain = Domains['domains'][number]
export type Generated = NonNullable<Domains['generated']>
type DomainFields = Input<Api['POST /v1/applications/{id}/domains']>['body']
type Certificate = Input<Api['PUT /v1/applications/{id}/domains/{domain_id}/certificate']>['body']

/** Domain changes invalidate the queries of the application. */
const shown = ['applications']

export const domainsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'domains', id],
    queryFn: ({ signal }) => call('GET /v1/applications/{id}/domains', { params: { id } }, signal),
    meta: { quiet: true },
  })

/** Polled, since DNS changes cause no event. */
export const dnsQuery = (id: string, { id: domainId, host }: Domain) =>
  queryOptions({
    queryKey: [...shown, 'dns', id, domainId, host],
    queryFn: async ({ signal }) => {
      const given = { params: { id, domain_id: domainId } }
      return (await call('GET /v1/applications/{id}/domains/{domain_id}/dns', given, signal)).problem
    },
    refetchInterval: 30_000,
    retry: false,
    meta: { quiet: true },
  })

/** Creates a domain, or updates the one with the given ID. */
export const useSaveDomain = (id: string) =>
  useChange(shown, ({ domainId, ...body }: DomainFields & { domainId: string | undefined }) =>
    domainId === undefined
      ? call('POST /v1/applications/{id}/domains', { params: { id }, body })
      : call('PUT /v1/applications/{id}/domains/{domain_id}', { params: { id, domain_id: domainId }, body }),
  )

export const useRemoveDomain = (id: string) =>
  useChange(shown, (domainId: string) =>
    call('DELETE /v1/applications/{id}/domains/{domain_id}', { params: { id, domain_id: domainId } }),
  )

export const useVerifyDomain = (id: string) =>
  useChange(shown, (domainId: string) =>
    call('POST /v1/applications/{id}/domains/{domain_id}/verify', { params: { id, domain_id: domainId } }),
  )

export const useUploadCertificate = (id: string, domainId: string) =>
  useChange(shown, (body: Certificate) =>
    call('PUT /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
      body,
    }),
  )

export const useRemoveCertificate = (id: string) =>
  useChange(shown, (domainId: string) =>
    call('DELETE /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
    }),
  )

export const useOrderCertificate = (id: string) =>
  useChange(shown, (domainId: string) =>
    call('POST /v1/applications/{id}/domains/{domain_id}/certificate', {
      params: { id, domain_id: domainId },
    }),
  )
