import type { Host } from '../../remote/host.ts'
import type { ServerRow } from './store.ts'

/**
 * The IP address at which Slipway has logged in with a confirmed host key, in the way that this row is reached now. Undefined
 * for an address that was merely typed or moved to: nothing may be sent there or concluded from it. This machine has none.
 */
export const provenAddress = (
  server: Pick<ServerRow, 'proven_address' | 'proven_version' | 'version'>,
): string | undefined =>
  server.proven_version === server.version ? (server.proven_address ?? undefined) : undefined

/** The columns that record a log-in over the connection that is open now; none where nothing is new. */
export function provenBy(
  server: ServerRow,
  host: Host,
): Partial<Pick<ServerRow, 'proven_address' | 'proven_version'>> {
  const address = host.address?.()
  if (address === undefined || provenAddress(server) === address) return {}
  return { proven_address: address, proven_version: server.version }
}
