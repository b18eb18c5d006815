import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Host } from '../../remote/host.ts'
import { RemoteError } from '../../remote/errors.ts'
import { readMachine, sharesFiles } from '../../remote/proxy/machine-id.ts'
import type { Db } from '../../tables.ts'
import { requestProxySync } from './proxy-sync.ts'
import { getServerHost } from './server-host.ts'
import { changeServer, lockServer, type ServerRow } from './server.ts'

/**
 * Saves which machine the server is. Returns why it cannot be used instead: two servers on one machine would overwrite
 * each other's proxy, ports and containers. Does nothing before the first setup, which creates the ID.
 */
export async function claimMachine(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const machine = await readMachine(host, { signal })
  if (machine === undefined) return undefined
  const owner = await findOtherServer(ctx.db, server, machine)
  if (!owner) await saveMachine(ctx, server, machine)
  else if (isCopy(server, owner, host.hostKey?.()) && !(await reachesSameMachine(ctx, owner, host, signal)))
    await saveMachine(ctx, server, await readMachine(host, { copied: true, signal }))
  else return machineTakenMessage(server, owner)
  return undefined
}

const findOtherServer = (db: Db, { id }: ServerRow, machine: string) =>
  db.selectFrom('servers').selectAll().where('machine', '=', machine).where('id', '<>', id).executeTakeFirst()

/** A cloned disk has the ID of the original, but cloud images generate new host keys. */
export const isCopy = (
  server: Pick<ServerRow, 'kind'>,
  owner: Pick<ServerRow, 'kind' | 'host_keys'>,
  hostKey: string | undefined,
): boolean =>
  server.kind === 'ssh' && owner.kind === 'ssh' && hostKey !== undefined && !owner.host_keys.includes(hostKey)

/** A machine has host keys of several types, so two servers on it may have pinned different ones. */
async function reachesSameMachine(ctx: Context, owner: ServerRow, host: Host, signal?: AbortSignal) {
  try {
    return await sharesFiles(getServerHost(ctx, owner), host, signal)
  } catch (error) {
    // While the owner is unreachable, nothing shows that both are the same machine.
    if (error instanceof RemoteError) return false
    throw error
  }
}

type Holder = Pick<ServerRow, 'workspace_id' | 'name'>

/** Omits the name of the other workspace, which the reader may not be allowed to see. */
export const machineTakenMessage = ({ workspace_id }: Pick<ServerRow, 'workspace_id'>, owner: Holder) =>
  owner.workspace_id === workspace_id
    ? `This machine is already connected as ${owner.name}. Delete one of the two servers.`
    : 'This machine is already connected to another workspace of this instance. Delete its server there first.'

const saveMachine = (ctx: Context, server: ServerRow, machine: string | undefined) =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id, id } = server
    const now = await lockServer(trx, workspace_id, id)
    // If the address changed meanwhile, the ID belongs to the old one.
    if (!now || now.version !== server.version || machine === undefined || now.machine === machine) return
    await changeServer(trx, workspace_id, id, { machine })
    await requestProxySync(ctx, trx, { workspace_id, server_id: id })
  })
