import { randomBytes } from 'node:crypto'
import { type FastifyInstance } from 'fastify'
import { startCommandFollower } from '../../../server/areas/commands/command-follower.ts'
import { closeDeletedConnections } from '../../../server/areas/servers/watch/close-deleted-connections.ts'
import { startWatching } from '../../../server/areas/servers/watch/watching.ts'
import { beginBilling } from '../../../server/areas/workspaces/begin-billing.ts'
import { areas } from '../../../server/areas.ts'
import { readConfig } from '../../../server/config.ts'
import type { Context } from '../../../server/context.ts'
import { followMailSettings } from '../../../server/outgoing-mail.ts'
import { createApp } from '../../../server/http/app.ts'
import { connectDatabase } from '../../../server/platform/db.ts'
import { type Lane, lanes as usualLanes } from '../../../server/platform/jobs.ts'
import { connectBus } from '../../../server/platform/bus.ts'
import type { Log } from '../../../server/platform/log.ts'
import type { Schedule } from '../../../server/platform/schedules.ts'
import { createSecrets } from '../../../server/platform/secrets.ts'
import { createHosts } from '../../../server/remote/hosts.ts'
import type { Tables } from '../../../server/tables.ts'
import { startEventRelay } from '../../../server/work/event-relay.ts'
import { startWorker } from '../../../server/work/worker.ts'
import { type Client, clientOf } from '../clients/client.ts'
import { createTestDatabase, type TestDatabase } from '../run/database.ts'
import { urlOf } from '../programs/port.ts'
import { record } from '../run/recorded.ts'

export interface TestSlipway extends Client {
  ctx: Context
  app: FastifyInstance
  db: TestDatabase['db']
  /** For processes beside it: its database, and what its secrets are sealed with. */
  database: TestDatabase
  key: Buffer
  /** All that was logged, fields and all. */
  lines: string[]
  /** Listens on a port of its own, for what needs a real connection; only this machine reaches it unless told. */
  listen(at?: { host: string; port: number }): Promise<string>
  /** Runs the jobs and watches the servers, as a process with that role does; and what is due by these, if told. */
  work(schedules?: Schedule[], lanes?: Record<Lane, number>): void
  close(): Promise<void>
}

/** A whole Slipway on an empty database, with these settings as in the environment. */
export async function startSlipway(env: Record<string, string> = {}): Promise<TestSlipway> {
  const database = await createTestDatabase()
  const config = readConfig({
    PUBLIC_URL: 'http://slipway.test',
    DATA_DIR: '/nowhere',
    SIGNUP: 'open',
    PRIVATE_SERVERS: 'allow',
    ...env,
  })
  const lines: string[] = []
  const log = listeningLog(lines)
  const bus = connectBus(database.connection, log)
  const key = randomBytes(32)
  const secrets = createSecrets([key])
  const { db, pool } = database
  const outgoing = await followMailSettings({ bus, db, config, secrets, log })
  const hosts = createHosts(log)
  const ctx: Context = {
    config,
    log,
    pool,
    db,
    bus,
    secrets,
    get mail() {
      return outgoing.current
    },
    refreshMail: () => outgoing.refresh(),
    hosts,
    now: () => new Date(),
    health: () => ({ ok: true }),
  }
  await beginBilling(ctx)
  const app = await createApp(ctx)
  const undo: (() => unknown)[] = [
    () => database.drop(),
    () => bus.close(),
    () => hosts.close(),
    closeDeletedConnections(ctx),
    () => app.close(),
    startCommandFollower(ctx),
  ]
  return {
    ctx,
    app,
    db,
    database,
    key,
    lines,
    ...clientOf(app),
    async listen(at = { host: '127.0.0.1', port: 0 }) {
      if (!app.server.listening) await app.listen(at)
      return urlOf(app.server)
    },
    work(schedules = [], lanes = usualLanes) {
      const own = connectDatabase<Tables>({ ...database.connection, max: 2 }, log)
      const jobs = areas.flatMap((area) => area.jobs ?? [])
      const worker = startWorker({ ctx, db: own.db, bus, secrets, jobs, schedules, log, lanes })
      const watching = startWatching(
        ctx,
        areas.flatMap((area) => area.watchers ?? []),
        own.db,
      )
      const relay = startEventRelay(
        ctx,
        areas.flatMap((area) => area.listeners ?? []),
      )
      undo.push(async () => {
        await Promise.all([worker.stop(), watching.stop(), relay.stop()])
        await own.pool.end()
      })
    },
    async close() {
      for (const step of undo.splice(0).toReversed()) await step()
    },
  }
}

export function listeningLog(lines: string[]): Log {
  const note = (fields: object, text: string) => {
    const line = `${text} ${JSON.stringify(fields)}`
    lines.push(line)
    record(line)
  }
  return { debug: note, info: note, warn: note, error: note }
}
