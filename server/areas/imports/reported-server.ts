import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Problem, serverChanged } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous } from '../../route.ts'
import { toProviderAccount, findCloudToken, getProvider } from '../cloud-tokens/cloud-token.ts'
import { admitServer } from '../servers/admit-server.ts'
import { changeServer, findServer, lockServer, type ServerRow } from '../servers/server.ts'
import { chooseAddress, findShownHostKey } from './address.ts'
import type { Report } from './import-server.ts'
import { toImportInitiator, consumeImportToken } from './import-token.ts'
import { findCloudOfServer } from './store.ts'

interface ServerReport {
  report: Report
  hostKeys: string[]
  workspaceId: Id<'workspace'>
  serverId: Id<'server'>
}

/** Handles the report of a server that already has a row. */
export async function connectReportedServer(ctx: Context, visitor: Anonymous, heard: ServerReport) {
  const { report, workspaceId, serverId } = heard
  const server = await findServer(ctx, workspaceId, serverId)
  if (!server) throw gone()
  const atCloud = await addressAtCloud(ctx, server)
  const { address, hostKeys } = atCloud
    ? await showing(ctx, server, atCloud, heard)
    : await chooseAddress(ctx, candidatesFor(server, visitor, report), report.port, heard.hostKeys)
  return transaction(ctx.db, async (trx) => {
    // Lock the server before the token, in the usual order.
    await lockServer(trx, workspaceId, serverId)
    const token = await consumeImportToken(trx, report.token)
    const cloud = await findCloudOfServer(trx, workspaceId, serverId)
    if (cloud && cloud.address !== null && cloud.address !== address) throw serverChanged(server.name)
    const admitted = await admitServer(ctx, trx, toImportInitiator(token, visitor), server, {
      address,
      port: report.port,
      username: report.user,
      host_keys: hostKeys,
      os: report.os || null,
      architecture: report.architecture || null,
    })
    return { id: admitted.id, name: admitted.name }
  })
}

const gone = () => conflict('server_gone', 'This server was deleted from Slipway.')

const candidatesFor = ({ address }: ServerRow, visitor: Anonymous, { addresses }: Report) => [
  visitor.address,
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
  // Without a cloud token, the provider cannot be asked for the address.
  if (!token) return undefined
  // The creation may not have saved the server ID yet.
  if (cloud.cloud_id === null) throw notYet()
  const found = await getProvider(cloud.provider).findServer(toProviderAccount(ctx, token), cloud.cloud_id)
  if (!found?.address) throw notYet()
  return found.address
}

const notYet = () =>
  new Problem(
    503,
    'not_yet_known',
    'Slipway does not know the address of this server yet. Try again shortly.',
    5,
  )

/**
 * The server at the known address must present the reported host key, so a leaked token is useless elsewhere.
 */
async function showing(ctx: Context, server: ServerRow, address: string, { report, hostKeys }: ServerReport) {
  const shown = await findShownHostKey(ctx, address, report.port, hostKeys)
  if (shown !== undefined) return { address, hostKeys: [shown] }
  const why = `A server reported as ${server.name}, but the host key at ${address} on port ${report.port} differs, or SSH is not reachable there. Check the firewall.`
  await tellOf(ctx, server, why)
  throw conflict('not_that_server', why)
}

/** Shows the reason while the creation is waiting for the server. */
const tellOf = (ctx: Context, { workspace_id: workspaceId, id }: ServerRow, reason: string) =>
  transaction(ctx.db, async (trx) => {
    const now = await lockServer(trx, workspaceId, id)
    if (now?.status !== 'provisioning' || now.reason === reason) return
    await changeServer(trx, workspaceId, id, { reason })
    await nudge(trx, workspaceId, 'server.changed', id)
  })
