import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { connectDatabase } from '../../../server/platform/db.ts'
import { createLog } from '../../../server/platform/log.ts'
import { migrate } from '../../../server/platform/migrate.ts'
import { startPostgres } from '../../../server/platform/postgres/embedded.ts'
import { type Rig, startRig } from '../rig/rig.ts'

export interface TestServer {
  host: string
  port: number
  user: string
  /** Migrated template; each test file copies it. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
    /** Null for unit tests, which need no root. */
    rig: Rig | null
  }
}

interface Shared<T> {
  value: T
  stop: () => Promise<void>
}

/** Shared by layers, which each load this file again. */
const running: Map<string, { started: Promise<Shared<unknown>>; users: number }> = (Object(
  globalThis,
).slipwayTests ??= new Map())

async function share<T>(name: string, start: () => Promise<Shared<T>>): Promise<Shared<T>> {
  const one = running.get(name) ?? { started: start(), users: 0 }
  running.set(name, one)
  one.users++
  const { value, stop } = (await one.started) as Shared<T>
  return {
    value,
    async stop() {
      if (--one.users === 0) await stop()
    },
  }
}

/** One PostgreSQL per run, and a rig where needed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await share('postgres', startTestPostgres)
  project.provide('postgres', postgres.value)
  const isPlain = project.name === 'unit' || project.name === 'console'
  const rig = isPlain ? undefined : await share('rig', startTestRig)
  project.provide('rig', rig?.value ?? null)
  return async () => {
    await rig?.stop()
    await postgres.stop()
  }
}

async function startTestPostgres(): Promise<Shared<TestServer>> {
  const log = createLog('error')
  const dataDir = await mkdtemp(join(await quickFolder(), 'slipway-test-'))
  const guard = startGuard(dataDir)
  const postgres = await startPostgres({ dataDir, log })
  const { host, port, user, database } = postgres.connection
  await giveUpDurability({ host, port })
  const { pool } = connectDatabase(postgres.connection, log)
  await migrate(pool, join(import.meta.dirname, '../../../server/migrations'), log)
  await pool.end()
  return {
    value: { host, port, user, template: database },
    async stop() {
      await postgres.stop()
      guard.stdin.end()
      await once(guard, 'close')
    },
  }
}

/** Ends PostgreSQL and deletes its data when this process ends, even after a kill. */
const startGuard = (dataDir: string) =>
  spawn(
    'sh',
    ['-c', 'cat; kill -QUIT "$(head -n 1 "$1/postgres/postmaster.pid")"; rm -rf "$1"', 'sh', dataDir],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )

/** /dev/shm if it has 4 GB free: copying and dropping a database there takes a third of the time. */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  const found = await statfs(memory).catch(() => undefined)
  return found && found.bavail * found.bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** Names from the environment are stable; otherwise each run chooses its own. */
async function startTestRig(): Promise<Shared<Rig>> {
  const { rig, stop } = await startRig({
    folder: process.env['RIG_DIR'],
    net: process.env['RIG_NET'],
    prefix: process.env['RIG_PREFIX'],
  })
  return { value: rig, stop }
}

/** Databases end with the run, so durability is turned off. */
async function giveUpDurability(server: { host: string; port: number }) {
  const client = new Client({ ...server, user: 'postgres', database: 'postgres' })
  await client.connect()
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${name} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
