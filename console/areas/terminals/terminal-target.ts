import { callApi } from '../../lib/http/call-api.ts'
import { fillPath } from '../../lib/http/fill-path.ts'

export interface TerminalTarget {
  serverId: string
  containerId?: string | undefined
}

export const terminalPath = (
  { serverId: id, containerId: cid }: TerminalTarget,
  query: Record<string, unknown>,
): string =>
  cid === undefined
    ? fillPath('/v1/servers/{id}/terminal', { params: { id }, query })
    : fillPath('/v1/servers/{id}/containers/{cid}/terminal', { params: { id, cid }, query })

/** Rejects when the target no longer exists. */
export const checkTargetExists = ({ serverId: id, containerId: cid }: TerminalTarget): Promise<unknown> =>
  cid === undefined
    ? callApi('GET /v1/servers/{id}', { params: { id } })
    : callApi('GET /v1/servers/{id}/containers/{cid}', { params: { id, cid } })
