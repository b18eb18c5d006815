import type { z } from 'zod'
import { name } from '../../../contract/shared/ids.ts'
import type { importServer as contract } from '../../../contract/imports.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous } from '../../route.ts'
import { addServer } from '../servers/create.ts'
import { serverKeySealContext } from '../servers/server-host.ts'
import { requestSetup } from '../servers/setup.ts'
import { assertWorkspaceNotLocked } from '../workspaces/lock.ts'
import { assertPlanLimit } from '../workspaces/plan.ts'
import { chooseAddress } from './address.ts'
import { connectReportedServer } from './reported-server.ts'
import { toImportInitiator, getImportToken, openImportKeys, consumeImportToken } from './import-token.ts'
import { Invalid } from '../../errors.ts'

export type Report = z.output<(typeof contract)['body']>

/** Adds a server that reported itself, with pinned host keys, and starts its setup. */
export async function importServer(ctx: Context, visitor: Anonymous, report: Report) {
  // Validate the token first: without one, nothing is revealed and no connection is made.
  const { server_id: serverId, workspace_id: workspaceId } = await getImportToken(ctx.db, report.token)
  await assertWorkspaceNotLocked(ctx.db, workspaceId)
  const hostKeys = keysIn(report.host_keys)
  return serverId === null
    ? addReported(ctx, visitor, report, hostKeys)
    : connectReportedServer(ctx, visitor, { report, hostKeys, workspaceId, serverId })
}

async function addReported(ctx: Context, visitor: Anonymous, report: Report, reported: string[]) {
  const candidates = [visitor.address, ...report.addresses]
  const { address, hostKeys } = await chooseAddress(ctx, candidates, report.port, reported)
  return transaction(ctx.db, async (trx) => {
    const token = await consumeImportToken(trx, report.token)
    const { privateKey, publicKey } = openImportKeys(ctx, token)
    const id = newId('server')
    const initiator = toImportInitiator(token, visitor)
    await assertPlanLimit(ctx, trx, token.workspace_id, 'servers')
    const server = await addServer(trx, initiator, 'server.imported', {
      id,
      workspace_id: token.workspace_id,
      name: token.name ?? nameOf(report.hostname) ?? address,
      status: 'pending',
      address,
      port: report.port,
      username: report.user,
      host_keys: hostKeys,
      key_sealed: ctx.secrets.seal(serverKeySealContext(id), privateKey),
      public_key: publicKey,
      os: report.os || null,
      architecture: report.architecture || null,
    })
    await requestSetup(ctx, trx, initiator, server)
    return { id, name: server.name }
  })
}

/** Uses the host name if it is a valid name. */
const nameOf = (hostname: string) => name().safeParse(hostname.slice(0, 100)).data

const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa']

function keysIn(lines: string[]): string[] {
  const keys = lines.flatMap((line) => {
    const [type = '', base64 = ''] = line.trim().split(/\s+/)
    return types.includes(type) && typeIn(base64) === type ? [`${type} ${base64}`] : []
  })
  if (keys.length === 0) throw new Invalid({ host_keys: ['Must contain an Ed25519, ECDSA or RSA host key.'] })
  return [...new Set(keys)].sort((a, b) => rank(a) - rank(b))
}

/** SSH keys start with the length and name of their type. */
function typeIn(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64 || bytes.length < 8) return ''
  return bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString('latin1')
}

const rank = (key: string) => types.indexOf(key.split(' ')[0] ?? '')
