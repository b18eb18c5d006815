import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { useApiMutation } from '../../../lib/form/use-api-mutation.ts'

export type PublishedPort = Reply<Api['GET /v1/applications/{id}/ports']>['ports'][number]

const shown = ['applications']

export const portsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'ports', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/ports', { params: { id } }, signal)).ports,
    meta: { quiet: true },
  })

/** Takes text with one mapping per line. */
export const usePublishPorts = (id: string) =>
  useApiMutation(
    shown,
    (ports: string) => callApi('POST /v1/applications/{id}/ports', { params: { id }, body: { ports } }),
    true,
  )

export const useRemovePort = (id: string) =>
  useApiMutation(shown, (portId: string) =>
    callApi('DELETE /v1/applications/{id}/ports/{port_id}', { params: { id, port_id: portId } }),
  )
