import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import {
  parseServers,
  parseStatistics,
  readWorkers,
  sendToMaster,
  sendToWorker,
  type Statistics,
} from '../../remote/proxy/runtime-api.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { listRoutedInstances } from './read-routing.ts'

/** Counts old HAProxy workers as well: their keep-alive connections may still send requests to any instance they know. */
export async function countOpenConnections(
  ctx: Context,
  server: ServerRow,
): Promise<Map<Id<'instance'>, number>> {
  const host = getServerHost(ctx, server)
  const [instances, [statistics = ''], workers] = await Promise.all([
    listRoutedInstances(ctx.db, server.id),
    sendToWorker(host, ['show stat']),
    readWorkers(host),
  ])
  const open = byAddress(parseStatistics(statistics))
  for (const worker of workers.old) await addOldWorker(host, worker, open)
  return new Map(instances.map(({ id, address }) => [id, open.get(address) ?? 0]))
}

function byAddress(rows: Statistics): Map<string, number> {
  const open = new Map<string, number>()
  for (const row of rows) add(open, row('addr').replace(/:\d+$/, ''), Number(row('scur')))
  return open
}

function add(open: Map<string, number>, address: string, count: number) {
  if (address !== '' && count > 0) open.set(address, (open.get(address) ?? 0) + count)
}

async function addOldWorker(host: Host, worker: number, open: Map<string, number>): Promise<void> {
  // An old worker may exit at any time and then returns nothing.
  const rows = parseStatistics(await sendToMaster(host, 'show stat', worker))
  for (const [address, count] of byAddress(rows)) add(open, address, count)
  const idle = countIdleConnections(rows)
  if (idle === 0) return
  const places = parseServers(await sendToMaster(host, 'show servers state', worker))
  const reached = new Set(places.filter(({ state }) => state === 'ready').map(({ address }) => address))
  for (const address of reached) add(open, address, idle)
}

function countIdleConnections(rows: Statistics): number {
  const sum = (wanted: Statistics) => wanted.reduce((total, row) => total + Number(row('scur')), 0)
  const web = rows.filter((row) => row('pxname') === 'web' && row('svname') === 'FRONTEND')
  const busy = rows.filter((row) => row('svname') === 'BACKEND' && row('mode') === 'http')
  return Math.max(0, sum(web) - sum(busy))
}
