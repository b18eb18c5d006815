import { randomBytes } from 'node:crypto'
import { type FastifyInstance } from 'fastify'
import { areas } from '../server/areas.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { createApp } from '../server/http/app.ts'
import { connect } from '../server/platform/db.ts'
import { listen } from '../server/platform/listen.ts'
import type { Log } from '../server/platform/log.ts'
import { createMail } from '../server/platform/mail.ts'
import { createSecrets } from '../server/platform/secrets.ts'
import { createHosts } from '../server/remote/hosts.ts'
import { startWorker } from '../server/work/worker.ts'
import { type Client, clientOf } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { urlOf } from './port.ts'

export interface TestSlipway extends Client {
  ctx: Context
  app: FastifyInstance
  db: TestDatabase['db']
  /** All that was logged, fields and all. */
  lines: string[]
  /** Listens on a port of its own, for what needs a real connection. */
  listen(): Promise<string>
  /** Runs the jobs, as a process with that role does. */
  work(): void
  close(): Promise<void>
}

/** A whole Slipway on an empty database, with these settings as in the environment. */
export async function startSlipway(env: Record<string, string> = {}): Promise<TestSlipway> {
  const database = await createTestDatabase()
  const config = readConfig({ PUBLIC_URL: 'http://slipway.test', DATA_DIR: '/nowhere', LOCAL_SERVER: 'off', ...env })
  const lines: string[] = []
  const log = listeningLog(lines)
  const bus = listen(database.connection, log)
  const secrets = createSecrets([randomBytes(32)])
  const mail = createMail(config, log)
  const { db, pool } = database
  const hosts = createHosts(log)
  const ctx: Context = {
    config,
    log,
    pool,
    db,
    bus,
    secrets,
    mail,
    hosts,
    now: () => new Date(),
    health: () => ({ ok: true }),
  }
  const app = await createApp(ctx)
  const undo = [() => database.drop(), () => bus.close(), () => hosts.close(), () => app.close()]
  return {
    ctx,
    app,
    db,
    lines,
    ...clientOf(app),
    async listen() {
      if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
      return urlOf(app.server)
    },
    work() {
      const own = connect<object>({ ...database.connection, max: 2 }, log)
      const jobs = areas.flatMap((area) => area.jobs ?? [])
      const worker = startWorker({ ctx, db: own.db, bus, secrets, jobs, schedules: [], log })
      undo.push(async () => {
        await worker.stop()
        await own.pool.end()
      })
    },
    async close() {
      for (const step of undo.splice(0).toReversed()) await step()
    },
  }
}

export function listeningLog(lines: string[]): Log {
  const note = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`)
  return { debug: note, info: note, warn: note, error: note }
}
