import {
  hostKeyChanged,
  hostKeyUnknown,
  Problem,
  serverChanged,
  serverFailed,
  serverRefused,
  serverSlow,
  serverUnreachable,
} from '../../errors.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import {
  AuthenticationRefused,
  ConnectionLost,
  HostKeyChanged,
  HostKeyUnknown,
  HostUnreachable,
  RemoteError,
  RemoteTimeout,
  TargetOutdated,
} from '../../remote/errors.ts'
import { canConnectTo } from './allowed-address.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import type { Host, HostTarget } from '../../remote/host.ts'
import { assertServerUsable } from './assert-server-usable.ts'
import type { ServerRow } from './server.ts'

export const serverKeySealContext = (id: string) => `servers.key_sealed:${id}`

export function newServerKeys({ secrets }: Pick<Context, 'secrets'>, id: Id<'server'>) {
  const { privateKey, publicKey } = newKeyPair(`slipway-${id}`)
  return { key_sealed: secrets.seal(serverKeySealContext(id), privateKey), public_key: publicKey }
}

export const getServerHost = (ctx: Context, server: ServerRow): Host =>
  ctx.hosts.get(toHostTarget(ctx, server))

export function toHostTarget(ctx: Context, server: ServerRow): HostTarget {
  if (server.kind === 'local') return { kind: 'local', id: server.id, dockerSocket: ctx.config.DOCKER_SOCKET }
  if (!server.key_sealed || !server.address)
    throw new HostUnreachable('The server has no address or no key yet.')
  return {
    kind: 'ssh',
    id: server.id,
    version: server.version,
    address: server.address,
    port: server.port,
    user: server.username,
    privateKey: ctx.secrets.open(serverKeySealContext(server.id), server.key_sealed),
    hostKeys: server.host_keys,
    mayConnect: canConnectTo(ctx),
  }
}

export function toServerProblem(server: Pick<ServerRow, 'name' | 'username'>, error: unknown): unknown {
  if (error instanceof HostKeyChanged) return hostKeyChanged(server.name)
  if (error instanceof HostKeyUnknown) return hostKeyUnknown(server.name)
  if (error instanceof TargetOutdated) return serverChanged(server.name)
  if (error instanceof RemoteTimeout) return serverSlow(server.name)
  if (error instanceof AuthenticationRefused) return serverRefused(server.name, server.username)
  if (error instanceof HostUnreachable || error instanceof ConnectionLost)
    return serverUnreachable(server.name, error.message)
  if (error instanceof RemoteError) return serverFailed(server.name, error.message)
  return error
}

export async function withServerHost<T>(
  ctx: Context,
  server: ServerRow,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  assertServerUsable(server)
  try {
    return await work(getServerHost(ctx, server))
  } catch (error) {
    throw error instanceof Problem ? error : toServerProblem(server, error)
  }
}

/** Returns undefined for an address that Slipway has not logged in to: it must not be contacted or trusted. */
export const provenAddress = (
  server: Pick<ServerRow, 'proven_address' | 'proven_version' | 'version'>,
): string | undefined =>
  server.proven_version === server.version ? (server.proven_address ?? undefined) : undefined

export function toProvenAddress(
  server: ServerRow,
  host: Host,
): Partial<Pick<ServerRow, 'proven_address' | 'proven_version'>> {
  const address = host.address?.()
  if (address === undefined || provenAddress(server) === address) return {}
  return { proven_address: address, proven_version: server.version }
}
