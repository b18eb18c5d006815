import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { AlertKindName } from '../contract/shared/alert-kinds.ts'
import type { Id } from '../contract/shared/ids.ts'
import { schedules, watchAlerts } from '../server/areas/alerts/area.ts'
import { connectDatabase } from '../server/platform/db.ts'
import { newId } from '../server/platform/ids.ts'
import type { JobRun } from '../server/platform/jobs.ts'
import type { Tables } from '../server/tables.ts'
import { makeAlert } from '../test/support/factories/alert-factories.ts'
import { makeChannel, startReceiver } from '../test/support/factories/channels.ts'
import { openContainerStage } from '../test/support/stages/container-stage.ts'
import { runContainer } from '../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../test/support/stages/context.ts'
import { makeWorkspace } from '../test/support/factories/factories.ts'
import { takeHost } from '../test/support/stages/take-host.ts'
import { cpuSeconds } from './process.ts'
import { report } from './results.ts'

const SERVERS = 1_000
/** Containers per server. */
const CONTAINERS = 10
const SECONDS = 60

test('delivers a message after a condition becomes true', { timeout: 600_000 }, async () => {
  const rig = await takeHost()
  const receiver = await startReceiver()
  const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
  slipway.work(schedules)
  try {
    const stage = await openContainerStage(slipway, rig)
    const { workspace } = stage.team
    await makeChannel(slipway.ctx, workspace, receiver.url)
    const watch = (kind: AlertKindName) =>
      makeAlert(slipway.db, workspace, { kind, for_seconds: 0, clear_seconds: 0, cooldown_seconds: 0 })
    for (const kind of ['container_stopped', 'container_memory', 'server_unreachable'] as const)
      await watch(kind)
    await stage.untilLive()

    /** Milliseconds since the condition was met. */
    async function untilTold(cause: () => Promise<unknown>): Promise<number> {
      const before = receiver.received.length
      await cause()
      const began = Date.now()
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), {
        timeout: 60_000,
        interval: 20,
      })
      return (receiver.received[before]?.at ?? Number.NaN) - began
    }

    const took: number[] = []
    for (let times = 0; times < 5; times++) {
      const ending = await runContainer(rig, { script: 'sleep 600' })
      took.push(await untilTold(() => rig.exec('docker', 'kill', ending)))
      const growing = await runContainer(rig, {
        options: ['--memory', '64m', '--memory-swap', '64m'],
        script: 'while [ ! -e /go ]; do sleep 0.1; done; head -c 60m /dev/zero | tail -c 60m | sleep 600',
      })
      // By then, its metrics are read like any other.
      await sleep(12_000)
      took.push(await untilTold(() => rig.exec('docker', 'exec', growing, 'touch', '/go')))
    }
    took.push(await untilTold(() => rig.cut()))
    await rig.plug()
    const slowest = Math.max(...took) / 1_000
    report({
      what: 'condition true → message delivered (duration 0), slowest of 11: containers killed, memory full, server cut off',
      bar: '≤ 15 s',
      measured: `${slowest.toFixed(1)} s`,
      met: slowest <= 15,
    })
  } finally {
    await slipway.close()
    await receiver.close()
  }
})

test(`evaluates ${SERVERS} servers with 6 rules`, { timeout: 600_000 }, async () => {
  const slipway = await startSlipway()
  const { db } = slipway
  const workspace = await makeWorkspace(db)
  const kinds = [
    'cpu',
    'memory',
    'disk',
    'server_unreachable',
    'container_memory',
    'container_restarting',
  ] as const
  for (const kind of kinds) await makeAlert(db, workspace, { kind, for_seconds: 30 })
  await addServers(slipway, workspace)
  const stopping = new AbortController()
  // A separate connection, to measure its database time without the samples.
  const own = connectDatabase<Tables>(
    { ...slipway.database.connection, application_name: 'bench alerts', max: 1 },
    slipway.ctx.log,
  )
  const run: JobRun = {
    id: newId('job'),
    attempt: 1,
    fence: 1,
    signal: stopping.signal,
    assertLease: () => Promise.resolve(),
  }
  const watching = watchAlerts({ ...slipway.ctx, db: own.db, pool: own.pool }, run).catch(() => {})
  try {
    await sampleFor(slipway, 20)
    const backends = await backendsOf(slipway)
    const postgres = () => backends.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    const [before, ours] = [postgres(), process.cpuUsage()]
    const began = performance.now()
    await sampleFor(slipway, SECONDS)
    const took = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(ours)
    expect(await backendsOf(slipway)).toEqual(backends)
    const [node, database] = [(user + system) / 1e6 / took, (postgres() - before) / took]
    report({
      what: `${SERVERS} servers with ${CONTAINERS} containers each × ${kinds.length} rules, samples every 10 s: CPU of the evaluation alone, in its process and in PostgreSQL`,
      bar: '≤ 15 % of one core',
      measured: `${percent(node + database)} (${percent(node)} and ${percent(database)})`,
      met: node + database <= 0.15,
    })
    const seen = await db.selectFrom('incidents').select('state').where('state', '=', 'firing').execute()
    expect(seen).toHaveLength(10)
  } finally {
    stopping.abort()
    await watching
    await own.pool.end()
    await slipway.close()
  }
})

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

async function addServers({ db }: TestSlipway, workspace: Id<'workspace'>) {
  const ids = Array.from({ length: SERVERS }, () => newId('server'))
  await sql`
    insert into servers (id, workspace_id, name, status, cpus, containers_live, watched_until)
    select id, ${workspace}, id, 'ready', 4, true, now() + interval '1 day'
    from unnest(${ids}::text[]) as given (id)`.execute(db)
  await sql`
    insert into containers (workspace_id, server_id, id, name, image, image_id, state, created_at, started_at)
    select workspace_id, id, 'container-' || place, 'container-' || place, 'nginx', 'sha256:0', 'running', now(), now()
    from servers, generate_series(1, ${CONTAINERS}::integer) as place`.execute(db)
}

/**
 * Every server and container has a sample every ten seconds, and one container restarts every second. Ten disks are
 * full, and 2 % of the other servers and containers are busy.
 */
async function sampleFor({ db }: TestSlipway, seconds: number) {
  const began = performance.now()
  for (let second = 0; second < seconds; second++) {
    await sql`
      insert into server_samples (workspace_id, server_id, at, cpu, memory_used, memory_total, disk_used, disk_total,
        network_in, network_out, load_1, load_5, load_15)
      select workspace_id, id, now(), case when random() < 0.02 then 0.95 else 0.3 end, 40, 100,
        case when place <= 10 then 99 else 50 end, 100, 0, 0, 1, 1, 1
      from (select workspace_id, id, row_number() over (order by id) as place from servers) s
      where place % 10 = ${second % 10}`.execute(db)
    await sql`
      insert into container_samples (workspace_id, server_id, container_id, at, cpu, memory_used, memory_limit,
        network_in, network_out, disk_read, disk_written)
      select workspace_id, server_id, id, now(), 0.1, case when random() < 0.02 then 95 else 40 end, 100, 0, 0, 0, 0
      from (select *, dense_rank() over (order by server_id) as place from containers) c
      where place % 10 = ${second % 10}`.execute(db)
    await sql`
      update containers set restarts = restarts + 1, started_at = now()
      where (server_id, id) = (select server_id, id from containers order by random() limit 1)`.execute(db)
    await sleep(Math.max(0, began + (second + 1) * 1_000 - performance.now()))
  }
}

async function backendsOf({ db }: TestSlipway): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'bench alerts' order by pid`.execute(db)
  return rows.map(({ pid }) => pid)
}
