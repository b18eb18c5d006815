import { randomBytes } from 'node:crypto'
import { type FastifyInstance } from 'fastify'
import { areas } from '../../../server/areas.ts'
import { readConfig } from '../../../server/config.ts'
import type { Context } from '../../../server/context.ts'
import { createApp } from '../../../server/http/app.ts'
import { createContext } from '../../../server/open.ts'
import type { Lane } from '../../../server/platform/jobs.ts'
import { connectBus } from '../../../server/platform/bus.ts'
import type { Log } from '../../../server/platform/log.ts'
import type { Schedule } from '../../../server/platform/schedules.ts'
import { createSecrets } from '../../../server/platform/secrets.ts'
import { createHosts } from '../../../server/remote/host.ts'
import { startWork } from '../../../server/work/start-work.ts'
import { type Client, clientOf } from '../clients/client.ts'
import { createTestDatabase, type TestDatabase } from '../run/database.ts'
import { urlOf } from '../programs/port.ts'
import { record } from '../run/recorded.ts'

export interface TestSlipway extends Client {
  ctx: Context
  app: FastifyInstance
  db: TestDatabase['db']
  /** Database and key for other processes. */
  database: TestDatabase
  key: Buffer
  /** Log lines with fields. */
  lines: string[]
  /** Listens on a port, on loopback by default. */
  listen(at?: { host: string; port: number }): Promise<string>
  /** Starts the worker role, with these schedules if given. */
  work(schedules?: Schedule[], lanes?: Record<Lane, number>): void
  close(): Promise<void>
}

/** Slipway on an empty database with these settings. */
export async function startSlipway(env: Record<string, string> = {}): Promise<TestSlipway> {
  const database = await createTestDatabase()
  const config = readConfig({
    PUBLIC_URL: 'http://slipway.test',
    DATA_DIR: '/nowhere',
    SIGNUP: 'open',
    PRIVATE_SERVERS: 'allow',
    // For a busy machine.
    OUTSIDE_TIMEOUT: '60',
    ...env,
  })
  const lines: string[] = []
  const log = listeningLog(lines)
  const bus = connectBus(database.connection, log)
  const key = randomBytes(32)
  const secrets = createSecrets([key])
  const { db, pool } = database
  const hosts = createHosts(log)
  const health = () => ({ ok: true }) as const
  const ctx = await createContext({ config, log, pool, db, bus, secrets, hosts, health })
  const undo: (void | (() => unknown))[] = [
    () => database.drop(),
    () => bus.close(),
    () => hosts.close(),
    () => ctx.locks.close(),
  ]
  for (const { start } of areas) undo.push(await start?.beforeRoles?.(ctx))
  const app = await createApp(ctx)
  undo.push(() => app.close())
  for (const { start } of areas) undo.push(await start?.afterRoles?.(ctx))
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
    work(schedules = [], lanes) {
      undo.push(startWork(ctx, database.connection, { schedules, ...(lanes && { lanes }) }))
    },
    async close() {
      for (const step of undo.splice(0).toReversed()) await step?.()
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
