import { randomBytes } from 'node:crypto'
import { type Insertable, sql, type Updateable } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { createEngine } from '../../../server/areas/alerts/engine.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import { makeApplication, makeDeployment, makeRelease } from '../factories/application-factories.ts'
import type { TestSlipway } from './context.ts'
import type { Tables } from '../../../server/tables.ts'
import { makeServer, makeWorkspace, nowhere, unique } from '../factories/factories.ts'

/** A workspace with a server and an alert engine with its own clock. */
export async function openAlertStage(slipway: TestSlipway) {
  const { db } = slipway
  const workspace = await makeWorkspace(db)
  // Refuses connections immediately, so that the search for causes does not wait.
  const refusing = { ...nowhere(), address: '127.0.0.1', port: 1 }
  const server = await makeServer(slipway.ctx, workspace, refusing, {
    cpus: 2,
    containers_live: true,
    watched_until: new Date(Date.now() + 86_400_000),
    created_at: new Date(Date.now() - 86_400_000),
  })
  const clock = { at: 1_000_000, now: Date.now() }
  const ctx: Context = { ...slipway.ctx, now: () => new Date(clock.now) }
  /** Error for the next write. */
  let refusal: Error | undefined
  let engine = start()

  function start() {
    const ending = new AbortController()
    const started = createEngine(ctx, { signal: ending.signal, assertLease })
    const stop = async () => {
      ending.abort()
      await started.stop()
    }
    onTestFinished(stop)
    return { pass: started.pass, stop }
  }

  async function assertLease() {
    const error = refusal
    refusal = undefined
    if (error) throw error
  }

  const settle = (id: string) =>
    db
      .updateTable('containers')
      .set({ observed_at: sql<Date>`observed_at - interval '5 seconds'` })
      .where('id', '=', id)
      .execute()

  /** Running for a while by default. */
  async function container(given: Partial<Insertable<Tables['containers']>> = {}) {
    const id = randomBytes(32).toString('hex')
    await db
      .insertInto('containers')
      .values({
        workspace_id: workspace,
        server_id: server,
        id,
        name: unique('box'),
        image: 'rig/busybox',
        image_id: `sha256:${'0'.repeat(64)}`,
        state: 'running',
        ports: '[]',
        created_at: new Date(),
        started_at: new Date(),
        ...given,
      })
      .execute()
    await settle(id)
    return id
  }

  /** A live application with one container by default. */
  async function serve(given: Parameters<typeof makeApplication>[3] = {}) {
    const application_id = await makeApplication(db, workspace, server, given)
    const release_id = await makeRelease(slipway.ctx, workspace, application_id, 1)
    const deployment_id = await makeDeployment(db, workspace, { id: application_id, server })
    const instance_id = newId('instance')
    const of = { id: instance_id, workspace_id: workspace, application_id, server_id: server }
    await db
      .insertInto('instances')
      .values({ ...of, deployment_id, release_id, replica: 1, state: 'serving' })
      .execute()
    const id = await container({ application_id, instance_id })
    return { application: application_id, instance: instance_id, container: id }
  }

  return {
    workspace,
    server,
    clock,
    /** Runs a pass this many seconds later. */
    async pass(seconds = 2) {
      clock.at += seconds * 1_000
      clock.now += seconds * 1_000
      // Waits for events of alerts.
      await slipway.ctx.bus.ready()
      await engine.pass(clock.at)
    },
    refuse(error: Error) {
      refusal = error
    },
    /** Continues with a new engine from the rows. */
    async restart() {
      await engine.stop()
      engine = start()
    },
    /** Writes a sample, in percent of memory and disk. */
    async sample({ cpu = 0, memory = 10, disk = 10, load = 0, of = server } = {}) {
      await db
        .insertInto('server_samples')
        .values({
          workspace_id: workspace,
          server_id: of,
          at: new Date(clock.now),
          cpu: cpu / 100,
          memory_used: memory * 1_000,
          memory_total: 100_000,
          disk_used: disk * 1_000,
          disk_total: 100_000,
          network_in: 0,
          network_out: 0,
          load_1: 0,
          load_5: load,
          load_15: 0,
        })
        .execute()
    },
    container,
    serve,
    /** Changes a container and lets some seconds pass. */
    async changeContainer(id: string, values: Updateable<Tables['containers']>) {
      await db.updateTable('containers').set(values).where('id', '=', id).execute()
      await settle(id)
    },
    /** Incidents of an alert, oldest first. */
    incidents: (alert: Id<'alert'>) =>
      db.selectFrom('incidents').selectAll().where('alert_id', '=', alert).orderBy('id').execute(),
    /** Notifications of an alert. */
    async eventTypes(alert: Id<'alert'>): Promise<string[]> {
      const rows = await db
        .selectFrom('events')
        .select('type')
        .where('workspace_id', '=', workspace)
        .where('about', '=', alert)
        .orderBy('id')
        .execute()
      return rows.map(({ type }) => type)
    },
  }
}
