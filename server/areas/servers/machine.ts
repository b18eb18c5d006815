import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { readMachine, sharesFiles } from '../../remote/proxy/machine.ts'
import type { Trx } from '../../tables.ts'
import { listOtherServersOnMachine } from './machine-servers.ts'
import { enqueueProxySync } from './proxy-sync.ts'
import { getServerHost } from './server-host.ts'
import { lockServerRow, type ServerRow, updateServerRow } from './store.ts'

/** Reads the machine ID over an authenticated connection and saves it; does nothing without a proxy. */
export async function verifyMachine(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const machine = await findMachine(ctx, server, host, signal)
  if (machine !== undefined) await transaction(ctx.db, (trx) => noteMachine(ctx, trx, server, machine))
  return machine
}

/** Reads the ID file. The file alone proves nothing, because it can be copied to another machine. */
async function findMachine(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const machine = await readMachine(host, { known: server.machine, signal })
  if (machine === undefined) return undefined
  const others = await listOtherServersOnMachine(ctx.db, machine, server.id)
  return others.length === 0 || (await isSameAsOne(ctx, server, host, others, signal))
    ? machine
    : readMachine(host, { copied: true, signal })
}

/** Each of the others was proven to be that machine, so one of them is enough. */
async function isSameAsOne(
  ctx: Context,
  server: ServerRow,
  host: Host,
  others: readonly ServerRow[],
  signal?: AbortSignal,
): Promise<boolean> {
  const key = host.hostKey?.()
  if (others.some((other) => isLocalToo(server, other) || hasOnlyKey(other, key))) return true
  const asked = await Promise.all(
    others.slice(0, MOST_ASKED).map((other) => canSeeFilesOf(ctx, other, host, signal)),
  )
  signal?.throwIfAborted()
  return asked.includes(true)
}

const MOST_ASKED = 8

const isLocalToo = (server: ServerRow, other: ServerRow) => server.kind === 'local' && other.kind === 'local'

/** Of several pinned keys, only the one in use was verified. */
const hasOnlyKey = ({ host_keys }: ServerRow, key: string | undefined) =>
  key !== undefined && host_keys.length === 1 && host_keys[0] === key

/** Servers with different host keys may still be one machine. An unreachable one proves nothing. */
async function canSeeFilesOf(
  ctx: Context,
  other: ServerRow,
  host: Host,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    return await sharesFiles(getServerHost(ctx, other), host, signal)
  } catch (error) {
    if (error instanceof RemoteError) return false
    throw error
  }
}

/** Saves the machine and resyncs the proxies that share its routes. */
async function noteMachine(ctx: Context, trx: Trx, server: ServerRow, machine: string): Promise<void> {
  const { workspace_id, id } = server
  const now = await lockServerRow(trx, workspace_id, id)
  // The ID was read at the old address.
  if (!now || now.version !== server.version || now.machine === machine) return
  await updateServerRow(trx, workspace_id, id, { machine, machine_since: ctx.now() })
  const left = now.machine === null ? [] : await listOtherServersOnMachine(trx, now.machine, id)
  for (const one of [now, ...left]) await enqueueProxySync(ctx, trx, one.workspace_id, one.id)
}
