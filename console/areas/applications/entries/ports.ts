import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { call } from '../../../lib/http/call.ts'
import { useChange } from '../../../lib/form/use-change.ts'

export type PublishedPort = Reply<Api['GET /v1/applications/{id}/ports']>['ports'][number]

const shown = ['applications']

export const portsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'ports', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/applications/{id}/ports', { params: { id } }, signal)).ports,
    meta: { quiet: true },
  })

/** Takes text with one mapping per line. */
export const usePublishPorts = (id: string) =>
  useChange(
    shown,
    (ports: string) => call('POST /v1/applications/{id}/ports', { params: { id }, body: { ports } }),
    true,
  )

export const useRemovePort = (id: string) =>
  useChange(shown, (portId: string) =>
    call('DELETE /v1/applications/{id}/ports/{port_id}', { params: { id, port_id: portId } }),
  )
