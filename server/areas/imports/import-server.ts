import type { z } from 'zod'
import { type Id } from '../../../contract/shared/ids.ts'
import { name } from '../../../contract/shared/text-fields.ts'
import type { importServer as contract } from '../../../contract/imports.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous } from '../../route.ts'
import { addServer } from '../servers/create-server.ts'
import { setupNotStarted } from '../servers/status-reasons.ts'
import { serverKeySealContext } from '../servers/server-host.ts'
import { requestSetup } from '../servers/request-setup.ts'
import { assertWorkspaceNotLocked } from '../workspaces/plan-access.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { consumeImportToken, getImportToken, openImportKeys, toImportInitiator } from './import-token.ts'
import { conflict, Invalid, Problem, serverChanged } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { findCloudToken, getProvider, toProviderAccount } from '../cloud-tokens/cloud-token.ts'
import { admitServer } from '../servers/connect-server.ts'
import { changeServer, findServer, lockServer, type ServerRow } from '../servers/server.ts'
import { findCloudOfServer, nextServerName } from './store.ts'
import { BlockList, isIP } from 'node:net'
import { addressNotAllowedMessage } from '../../remote/errors.ts'
import { hostKeyType, scanHostKey } from '../../remote/ssh/host-key.ts'
import { canConnectTo } from '../servers/allowed-address.ts'

export type Report = z.output<(typeof contract)['body']>

export async function importServer(ctx: Context, anonymous: Anonymous, report: Report) {
  // The token is validated first: a request without one learns nothing and causes no connection.
  const { server_id: serverId, workspace_id: workspaceId } = await getImportToken(ctx.db, report.token)
  await assertWorkspaceNotLocked(ctx.db, workspaceId)
  const hostKeys = keysIn(report.host_keys)
  return serverId === null
    ? addReported(ctx, anonymous, report, hostKeys)
    : connectReportedServer(ctx, anonymous, { report, hostKeys, workspaceId, serverId })
}

async function addReported(ctx: Context, anonymous: Anonymous, report: Report, reported: string[]) {
  const candidates = [anonymous.address, ...report.addresses]
  const { address, hostKeys } = await chooseAddress(ctx, candidates, report.port, reported)
  return transaction(ctx.db, async (trx) => {
    const token = await consumeImportToken(trx, report.token)
    const { privateKey, publicKey } = openImportKeys(ctx, token)
    const id = newId('server')
    const initiator = toImportInitiator(token, anonymous)
    await assertPlanLimit(ctx, trx, token.workspace_id, 'servers')
    const server = await addServer(trx, initiator, 'server.imported', {
      id,
      workspace_id: token.workspace_id,
      name: token.name ?? parseName(report.hostname) ?? (await nextServerName(trx, token.workspace_id)),
      status: 'pending',
      reason: setupNotStarted,
      last_seen_at: ctx.now(),
      address,
      port: report.port,
      username: report.user,
      host_keys: hostKeys,
      key_sealed: ctx.secrets.seal(serverKeySealContext(id), privateKey),
      public_key: publicKey,
      os: report.os || null,
      architecture: report.architecture || null,
    })
    if (report.set_up) await requestSetup(ctx, trx, initiator, server)
    return { id, name: server.name }
  })
}

/** Returns the host name as a server name. An IP address is no name, because addresses can be hidden on screen. */
const parseName = (hostname: string) =>
  isIP(hostname) === 0 ? name().safeParse(hostname.slice(0, 100)).data : undefined

const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa']

function keysIn(lines: string[]): string[] {
  const keys = lines.flatMap((line) => {
    const [type = '', base64 = ''] = line.trim().split(/\s+/)
    return types.includes(type) && typeIn(base64) === type ? [`${type} ${base64}`] : []
  })
  if (keys.length === 0) throw new Invalid({ host_keys: ['Must contain an Ed25519, ECDSA or RSA host key.'] })
  return [...new Set(keys)].sort((a, b) => rank(a) - rank(b))
}

/** Returns the type of an SSH key, which starts with the length and name of its type. */
function typeIn(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64 || bytes.length < 8) return ''
  return bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString('latin1')
}

const rank = (key: string) => types.indexOf(key.split(' ')[0] ?? '')

interface ServerReport {
  report: Report
  hostKeys: string[]
  workspaceId: Id<'workspace'>
  serverId: Id<'server'>
}

async function connectReportedServer(ctx: Context, anonymous: Anonymous, details: ServerReport) {
  const { report, workspaceId, serverId } = details
  const server = await findServer(ctx, workspaceId, serverId)
  if (!server) throw serverGone()
  const atCloud = await addressAtCloud(ctx, server)
  const { address, hostKeys } = atCloud
    ? await showing(ctx, server, atCloud, details)
    : await chooseAddress(ctx, candidatesFor(server, anonymous, report), report.port, details.hostKeys)
  return transaction(ctx.db, async (trx) => {
    // The server is locked before the token, in the usual order.
    await lockServer(trx, workspaceId, serverId)
    const token = await consumeImportToken(trx, report.token)
    const cloud = await findCloudOfServer(trx, workspaceId, serverId)
    if (cloud && cloud.address !== null && cloud.address !== address) throw serverChanged(server.name)
    const admitted = await admitServer(ctx, trx, toImportInitiator(token, anonymous), server, {
      address,
      port: report.port,
      username: report.user,
      host_keys: hostKeys,
      os: report.os || null,
      architecture: report.architecture || null,
      // Creating a server in the console is consent to its setup.
      set_up: report.set_up || server.status === 'provisioning',
    })
    return { id: admitted.id, name: admitted.name }
  })
}

const serverGone = () => conflict('server_gone', 'This server was deleted from Slipway.')

const candidatesFor = ({ address }: ServerRow, anonymous: Anonymous, { addresses }: Report) => [
  anonymous.address,
  ...(address === null ? [] : [address]),
  ...addresses,
]

async function addressAtCloud(ctx: Context, server: ServerRow): Promise<string | undefined> {
  const cloud = await findCloudOfServer(ctx.db, server.workspace_id, server.id)
  if (!cloud) return undefined
  if (cloud.address !== null) return cloud.address
  const token =
    cloud.cloud_token_id === null
      ? undefined
      : await findCloudToken(ctx, server.workspace_id, cloud.cloud_token_id)
  if (!token) return undefined
  // The job that creates the server may not have saved its ID yet.
  if (cloud.cloud_id === null) throw notYet()
  const machine = await getProvider(cloud.provider).findServer(toProviderAccount(ctx, token), cloud.cloud_id)
  if (!machine?.address) throw notYet()
  return machine.address
}

const notYet = () =>
  new Problem(
    503,
    'not_yet_known',
    'Slipway does not know the address of this server yet. Try again shortly.',
    5,
  )

/** Checks that the server presents the reported host key, so that a leaked token is useless elsewhere. */
async function showing(ctx: Context, server: ServerRow, address: string, { report, hostKeys }: ServerReport) {
  const shown = await findShownHostKey(ctx, address, report.port, hostKeys)
  if (shown !== undefined) return { address, hostKeys: [shown] }
  const reason = `The import command of ${server.name} was run, but ${address} is unreachable on port ${report.port} or presents a different host key than the import command reported. Check the address and the firewall of the server.`
  await reportMismatch(ctx, server, reason)
  throw conflict('not_that_server', reason)
}

const reportMismatch = (ctx: Context, { workspace_id: workspaceId, id }: ServerRow, reason: string) =>
  transaction(ctx.db, async (trx) => {
    const now = await lockServer(trx, workspaceId, id)
    if (now?.status !== 'provisioning' || now.reason === reason) return
    await changeServer(trx, workspaceId, id, { reason })
    await nudge(trx, workspaceId, 'server.changed', id)
  })

const LIMIT = 3_000
const MAX_ADDRESSES = 8

/**
 * Chooses the address at which the server presents its host key. The fallback is the address of the request, which
 * users can see and correct.
 */
async function chooseAddress(
  ctx: Context,
  candidates: string[],
  port: number,
  hostKeys: string[],
): Promise<{ address: string; hostKeys: string[] }> {
  const addresses = [...new Set(candidates.map(plain))].filter((address) => isIP(address) !== 0)
  const may = await Promise.all(addresses.map(canConnectTo(ctx)))
  const all = addresses.filter((_, index) => may[index]).slice(0, MAX_ADDRESSES)
  const showing = all.map(async (address) => {
    const shown = await findShownHostKey(ctx, address, port, hostKeys)
    if (shown === undefined) throw new Error('Another machine responds at that address.')
    return { address, hostKeys: [shown] }
  })
  return Promise.any(showing).catch(() => {
    const address = all.find((candidate) => !isLoopback(candidate)) ?? all[0]
    if (address === undefined)
      throw new Invalid({
        addresses: [
          addresses.length > 0 ? addressNotAllowedMessage : 'Must contain an IP address of the server.',
        ],
      })
    return { address, hostKeys }
  })
}

async function findShownHostKey(
  ctx: Context,
  address: string,
  port: number,
  hostKeys: string[],
): Promise<string | undefined> {
  const options = {
    types: hostKeys.map(hostKeyType),
    signal: AbortSignal.timeout(LIMIT),
    mayConnect: canConnectTo(ctx),
  }
  const shown = await scanHostKey(address, port, options).catch(() => undefined)
  return shown !== undefined && hostKeys.includes(shown) ? shown : undefined
}

/** Removes the prefix with which Node reports IPv4 clients of an IPv6 socket. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

const isLoopback = (address: string) => loopback.check(address, getFamily(address))

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
