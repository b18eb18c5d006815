import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Host } from '../../remote/host.ts'
import { readMachine } from '../../remote/proxy/machine.ts'
import { typeOf } from '../../remote/ssh/host-key.ts'
import type { Trx } from '../../tables.ts'
import { listOthers } from './on-machine.ts'
import { enqueueProxySync } from './proxy-sync.ts'
import { lockServerRow, type ServerRow, updateServerRow } from './store.ts'

/** Reads which machine it is, over a connection that was logged in, and notes that; nothing where there is no proxy. */
export async function proveMachine(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const machine = await findMachine(ctx, server, host, signal)
  if (machine !== undefined) await transaction(ctx.db, (trx) => noteMachine(ctx, trx, server, machine))
  return machine
}

/** The same, only read. */
async function findMachine(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const machine = await readMachine(host, { known: server.machine, signal })
  if (machine === undefined) return undefined
  const others = await listOthers(ctx.db, machine, server.id)
  return others.some((other) => isElsewhere(server, other))
    ? readMachine(host, { copied: true, signal })
    : machine
}

/** One SSH server has one key of a type: two keys are two machines, of which one began with the disk of the other. */
function isElsewhere({ host_keys: ours }: ServerRow, { host_keys: theirs }: Pick<ServerRow, 'host_keys'>) {
  const types = new Set(ours.map(typeOf))
  return !theirs.some((key) => ours.includes(key)) && theirs.some((key) => types.has(typeOf(key)))
}

/** From now on its routes are claimed there, after those that are. All who may be served otherwise by that are asked for. */
async function noteMachine(ctx: Context, trx: Trx, server: ServerRow, machine: string): Promise<void> {
  const { workspace_id, id } = server
  const now = await lockServerRow(trx, workspace_id, id)
  // It was read where the server was then.
  if (!now || now.version !== server.version || now.machine === machine) return
  await updateServerRow(trx, workspace_id, id, { machine, machine_since: ctx.now() })
  const left = now.machine === null ? [] : await listOthers(trx, now.machine, id)
  for (const one of [now, ...left]) await enqueueProxySync(ctx, trx, one.workspace_id, one.id)
}
