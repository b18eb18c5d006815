import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { connect } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { startPostgres } from '../server/platform/postgres/embedded.ts'
import { type Rig, startRig } from './rig/rig.ts'

export interface TestServer {
  host: string
  port: number
  user: string
  /** Migrated and never connected to; each test file's database is a copy of it. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
    /** Null where the tests do not run as root. */
    rig: Rig | null
  }
}

/** One PostgreSQL and one rig of servers for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('error')
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const postgres = await startPostgres({ dataDir, log })
  const { host, port, user, database } = postgres.connection
  await giveUpDurability({ host, port })
  const { pool } = connect(postgres.connection, log)
  await migrate(pool, join(import.meta.dirname, '../server/migrations'), log)
  await pool.end()
  project.provide('postgres', { host, port, user, template: database })
  const rig = process.getuid?.() === 0 ? await startRig(rigOfEnvironment()) : undefined
  project.provide('rig', rig?.rig ?? null)
  return async () => {
    await rig?.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Names that a person can find again; without them each run chooses its own. */
const rigOfEnvironment = () => ({
  folder: process.env['RIG_DIR'],
  net: process.env['RIG_NET'],
  prefix: process.env['RIG_PREFIX'],
})

/** These databases end with the run: nothing has to be on the disk. */
async function giveUpDurability(server: { host: string; port: number }) {
  const client = new Client({ ...server, user: 'postgres', database: 'postgres' })
  await client.connect()
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${name} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
