import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../../contract/servers.ts'
import { listeningLog, startSlipway, type TestSlipway } from '../../../../test/support/stages/context.ts'
import { eventsOf } from '../../../../test/support/clients/events.ts'
import { makeServer, makeTeam } from '../../../../test/support/factories/factories.ts'
import { takeHost } from '../../../../test/support/stages/take-host.ts'
import type { Context } from '../../../context.ts'
import { connectDatabase } from '../../../platform/db.ts'
import { connectBus } from '../../../platform/bus.ts'
import { createHosts } from '../../../remote/host.ts'
import type { Tables } from '../../../tables.ts'
import type { Watcher } from '../watcher.ts'
import { startWatching } from './watching.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const rig = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

const polling = { interval: 50 }

/** Starts a second process on the same database. */
function startProcess() {
  const lines: string[] = []
  const log = listeningLog(lines)
  const { host, port, user, database } = slipway.ctx.pool.options
  const connection = { host, port, user, database }
  const { pool, db } = connectDatabase<Tables>(connection, log)
  const bus = connectBus(connection, log)
  const hosts = createHosts(log)
  const ctx: Context = { ...slipway.ctx, log, pool, db, bus, hosts }
  const watched = new Set<string>()
  const watcher: Watcher = {
    name: 'counter',
    async watch(_ctx, server, _host, signal) {
      watched.add(server.id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      watched.delete(server.id)
    },
  }
  const watching = startWatching(ctx, [watcher])
  let ended: Promise<void> | undefined
  const end = (undo: () => Promise<unknown>) => {
    ended ??= (async () => {
      await undo()
      await bus.close()
      await hosts.close()
    })()
    return ended
  }
  const stop = () =>
    end(async () => {
      await watching.stop()
      await pool.end()
    })
  onTestFinished(stop)
  return {
    watched,
    stop,
    /** The process continues without a database, like a frozen one. */
    cutOff: () => end(() => pool.end()),
    watching,
  }
}

async function makeServers(many: number) {
  const { workspace, admin } = await makeTeam(slipway.db)
  const ids = await Promise.all(Array.from({ length: many }, () => makeServer(slipway.ctx, workspace, rig)))
  onTestFinished(async () => {
    await slipway.db.deleteFrom('servers').where('workspace_id', '=', workspace).execute()
  })
  return { workspace, token: admin.token, ids }
}

test('watches every server in one process and hands over on shutdown', async () => {
  const { ids, workspace } = await makeServers(4)
  const one = startProcess()
  await vi.waitFor(() => expect(one.watched.size).toBe(4), polling)
  const other = startProcess()
  const [late] = (await makeServers(1)).ids
  await vi.waitFor(() => expect([...one.watched, ...other.watched]).toContain(late), polling)
  // No server is watched twice.
  const both = [...one.watched, ...other.watched]
  expect(both).toHaveLength(5)
  expect(new Set(both)).toEqual(new Set([...ids, late]))
  await one.stop()
  expect(one.watched.size).toBe(0)
  await vi.waitFor(() => expect(other.watched.size).toBe(5), polling)
  expect(await eventsOf(slipway.db, workspace)).toEqual([])
})

test('takes over servers of a crashed process within 15 seconds', async () => {
  const { ids, workspace } = await makeServers(2)
  const dead = startProcess()
  await vi.waitFor(() => expect(dead.watched.size).toBe(2), polling)
  const other = startProcess()
  await dead.cutOff()
  const began = performance.now()
  await vi.waitFor(() => expect(other.watched).toEqual(new Set(ids)), polling)
  // The limit is twice the expected time, because the machine may be busy.
  expect(performance.now() - began).toBeLessThan(30_000)
  // The process must notice by itself that its leases have expired.
  await vi.waitFor(() => expect(dead.watched.size).toBe(0), polling)
  expect(await eventsOf(slipway.db, workspace)).toEqual([])
  await dead.watching.stop()
})

longTest('reports nothing on a restart, except what was lost meanwhile', async () => {
  const { ids, workspace, token } = await makeServers(1)
  const first = startProcess()
  await vi.waitFor(() => expect(first.watched.size).toBe(1), polling)
  await first.stop()
  const second = startProcess()
  await vi.waitFor(() => expect(second.watched.size).toBe(1), polling)
  expect(await eventsOf(slipway.db, workspace)).toEqual([])
  await second.stop()
  await rig.cut()
  onTestFinished(() => rig.plug())
  startProcess()
  await vi.waitFor(async () => {
    const { server } = await slipway.ok(contract.getServer, { token, params: { id: ids[0] ?? '' } })
    expect(server.status).toBe('unreachable')
  }, polling)
})

longTest('starts watching many servers within seconds', async () => {
  const { ids } = await makeServers(30)
  const { watched } = startProcess()
  await vi.waitFor(() => expect(watched.size).toBe(ids.length), { interval: 100 })
})
