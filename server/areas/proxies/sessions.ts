import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { readPlaces, readStatistics, type Statistics } from '../../remote/proxy/running.ts'
import { tellMaster, tellWorker } from '../../remote/proxy/talk.ts'
import { askWorkers } from '../../remote/proxy/workers.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { listInstancesOf } from './store.ts'

/**
 * How many requests, web sockets and TCP connections are open on each instance that the proxy knows. A process that a
 * reload left behind may still send what comes on its open connections to the instances of its time, so for those all
 * of these count.
 */
export async function countSessions(ctx: Context, server: ServerRow): Promise<Map<Id<'instance'>, number>> {
  const host = hostOf(ctx, server)
  const [instances, [statistics = ''], workers] = await Promise.all([
    server.machine === null ? [] : listInstancesOf(ctx.db, server.machine),
    tellWorker(host, ['show stat']),
    askWorkers(host),
  ])
  const open = byAddress(readStatistics(statistics))
  for (const worker of workers.old) await addOld(host, worker, open)
  return new Map(instances.map(({ id, address }) => [id, open.get(address) ?? 0]))
}

/** Of each address, over all places that it has. */
function byAddress(rows: Statistics): Map<string, number> {
  const open = new Map<string, number>()
  for (const row of rows) add(open, row('addr').replace(/:\d+$/, ''), Number(row('scur')))
  return open
}

function add(open: Map<string, number>, address: string, count: number) {
  if (address !== '' && count > 0) open.set(address, (open.get(address) ?? 0) + count)
}

async function addOld(host: Host, worker: number, open: Map<string, number>): Promise<void> {
  // It may end at any moment, and then says nothing.
  const rows = readStatistics(await tellMaster(host, 'show stat', worker))
  for (const [address, count] of byAddress(rows)) add(open, address, count)
  const idle = idleVisitors(rows)
  if (idle === 0) return
  const places = readPlaces(await tellMaster(host, 'show servers state', worker))
  const reached = new Set(places.filter(({ state }) => state === 'ready').map(({ address }) => address))
  for (const address of reached) add(open, address, idle)
}

/** Connections that are kept, on which nothing is asked for at the moment. */
function idleVisitors(rows: Statistics): number {
  const sum = (wanted: Statistics) => wanted.reduce((total, row) => total + Number(row('scur')), 0)
  const web = rows.filter((row) => row('pxname') === 'web' && row('svname') === 'FRONTEND')
  const busy = rows.filter((row) => row('svname') === 'BACKEND' && row('mode') === 'http')
  return Math.max(0, sum(web) - sum(busy))
}
