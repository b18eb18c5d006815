import type { Host } from '../../remote/host.ts'
import type { ServerRow } from './store.ts'

/**
 * Returns the IP address at which Slipway logged in with a confirmed host key. Undefined for an address that
 * was only entered: nothing may be sent there or concluded from it.
 */
export const provenAddress = (
  server: Pick<ServerRow, 'proven_address' | 'proven_version' | 'version'>,
): string | undefined =>
  server.proven_version === server.version ? (server.proven_address ?? undefined) : undefined

/** Returns the columns that record a successful login; empty if unchanged. */
export function toProvenAddress(
  server: ServerRow,
  host: Host,
): Partial<Pick<ServerRow, 'proven_address' | 'proven_version'>> {
  const address = host.address?.()
  if (address === undefined || provenAddress(server) === address) return {}
  return { proven_address: address, proven_version: server.version }
}
