import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, serverChanged } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { hostKeyType, scanHostKey } from '../../remote/ssh/host-key.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { changeServer, getServerRow, lockServer, type ServerRow, serverTarget } from './server.ts'
import { presentServer } from './present-server.ts'
import { assertCanOperate } from './root-access.ts'
import { canConnectTo, assertAddressAllowed } from './allowed-address.ts'
import { requireServerRow } from './connect-server.ts'
import { requestProxySync } from './proxy-sync.ts'
import { keyNotAdded, addressChanged } from './status-reasons.ts'
import { assertServerUsable, assertNotDeleting } from './assert-server-usable.ts'
import { listPublishedPortsOf, lockRoutes } from './web-ports.ts'

interface ServerUpdate {
  name?: string | undefined
  address?: string | undefined
  port?: number | undefined
  user?: string | undefined
  labels?: string[] | undefined
  http_port?: number | undefined
  https_port?: number | undefined
  trusted_proxies?: string[] | undefined
}

/** Proxy ports are only saved; the next setup applies them. Trusted proxies apply at once. */
export async function updateServer(ctx: Context, actor: Actor, id: Id<'server'>, input: ServerUpdate) {
  const server = await getServerRow(ctx, actor, id)
  if (server.kind === 'local') refuseToMove(input)
  const { workspace_id: workspaceId } = server
  if (input.address !== undefined && input.address !== server.address)
    await assertAddressAllowed(ctx, input.address)
  // Scan before locking, because it takes seconds; its result is validated under the lock.
  const isKnownThere = await showsPinned(ctx, server, findChanges(server, input))
  const row = await transaction(ctx.db, async (trx) => {
    // Lock routes before the row, in the same order as application creation.
    await lockRoutes(trx, server)
    const now = requireServerRow(await lockServer(trx, workspaceId, id))
    assertNotDeleting(now)
    const changes = findChanges(now, input)
    if (Object.keys(changes).length === 0) return now
    if (Object.keys(changes).some((field) => field !== 'name' && field !== 'labels'))
      assertCanOperate(actor, now, 'change the proxy')
    mustDiffer({ ...now, ...changes }, changes)
    await mustBeFree(trx, now, changes)
    if (isMoved(changes) && now.version !== server.version) throw serverChanged(now.name)
    const reach = toReachability(now, changes, isKnownThere)
    const row = requireServerRow(await changeServer(trx, workspaceId, id, { ...changes, ...reach }))
    if (changes.trusted_proxies)
      await requestProxySync(ctx, trx, { workspace_id: workspaceId, server_id: id })
    await emit(trx, actor, workspaceId, 'server.updated', serverTarget(row))
    return row
  })
  return presentServer(ctx, row)
}

function refuseToMove(input: ServerUpdate): void {
  const fields = (['address', 'port', 'user'] as const).filter((field) => input[field] !== undefined)
  const sentence = 'Cannot be changed: Slipway runs on this machine and does not connect to it over SSH.'
  if (fields.length > 0) throw new Invalid(Object.fromEntries(fields.map((field) => [field, [sentence]])))
}

type Changes = Partial<
  Pick<
    ServerRow,
    'name' | 'address' | 'port' | 'username' | 'labels' | 'http_port' | 'https_port' | 'trusted_proxies'
  >
>

function findChanges(server: ServerRow, { user, ...input }: ServerUpdate): Changes {
  const requested = { ...input, username: user }
  const isNew = ([field, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(Object(server)[field])
  return Object.fromEntries(Object.entries(requested).filter(isNew))
}

function mustDiffer({ kind, port, http_port, https_port }: ServerRow, changes: Changes): void {
  if (http_port === https_port) throw new Invalid({ https_port: ['Must differ from the HTTP port.'] })
  if (kind === 'local') return
  const proxyPorts = (['http_port', 'https_port'] as const).filter((field) => changes[field] === port)
  if (proxyPorts.length > 0)
    throw new Invalid(
      Object.fromEntries(proxyPorts.map((field) => [field, ['Must differ from the SSH port.']])),
    )
  if (changes.port === http_port || changes.port === https_port)
    throw new Invalid({
      port: ['Must differ from the proxy ports. Change the proxy ports first.'],
    })
}

async function mustBeFree(trx: Trx, server: ServerRow, changes: Changes): Promise<void> {
  const fields = (['http_port', 'https_port'] as const).filter((field) => changes[field] !== undefined)
  const published = await listPublishedPortsOf(
    trx,
    server,
    fields.map((field) => changes[field] ?? 0),
  )
  const problems = fields.flatMap((field): [string, string[]][] => {
    const holder = published.find(({ source }) => source === changes[field])
    return holder
      ? [
          [
            field,
            [`Port ${holder.source} is published by the application ${holder.name}. Choose another port.`],
          ],
        ]
      : []
  })
  if (problems.length > 0) throw new Invalid(Object.fromEntries(problems))
}

const isMoved = ({ address, port }: Changes) => address !== undefined || port !== undefined

/** The machine counts as the same only if it presents a confirmed host key at the new address. */
function toReachability(server: ServerRow, changes: Changes, isKnownThere: boolean): Partial<ServerRow> {
  if (!isMoved(changes) && changes.username === undefined) return {}
  mustNotBeSetUp(server)
  const version = server.version + 1
  if (!isMoved(changes) || isKnownThere) return { version }
  // The old failure reason does not apply to the new address.
  const reason = server.last_seen_at === null ? keyNotAdded : addressChanged
  if (server.host_keys.length === 0)
    return { version, offered_host_key: null, ...(server.status === 'pending' && { reason }) }
  const unknown = { host_keys: [], offered_host_key: null, machine: null }
  return { version, ...unknown, status: 'pending', reason: addressChanged }
}

function mustNotBeSetUp(server: ServerRow): void {
  assertServerUsable(server)
  if (server.address === null && server.provider !== null)
    throw conflict(
      'not_made',
      `The server ${server.name} has no address at its cloud provider yet. Retry its creation, or delete it.`,
    )
  if (server.status === 'setting_up')
    throw conflict(
      'setting_up',
      `The server ${server.name} is being set up. Change its connection when the setup has finished.`,
    )
}

/** The timeout is short, because a user is waiting. */
const LIMIT = 4_000

async function showsPinned(ctx: Context, server: ServerRow, changes: Changes): Promise<boolean> {
  const { host_keys: pinned, address, port } = { ...server, ...changes }
  if (!isMoved(changes) || pinned.length === 0 || address === null) return false
  mustNotBeSetUp(server)
  const types = pinned.map(hostKeyType)
  const options = { types, signal: AbortSignal.timeout(LIMIT), mayConnect: canConnectTo(ctx) }
  const shown = await scanHostKey(address, port, options).catch(() => undefined)
  return shown !== undefined && pinned.includes(shown)
}
