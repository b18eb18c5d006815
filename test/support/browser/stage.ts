import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { createSecrets } from '../../../server/platform/secrets.ts'
import { createTestDatabase, type TestDatabase } from '../run/database.ts'
import { record } from '../run/recorded.ts'
import { freePort, serverProgram } from '../programs/slipway-process.ts'
import { findable } from '../programs/stray.ts'
import { openVisitors, type Visitors } from './visitors.ts'

/** Slipway in its own process with a real browser. */
export interface Stage extends Visitors {
  url: string
  database: TestDatabase
  /** For factories with secrets, which are sealed with the key of this Slipway. */
  ctx: Pick<Context, 'db' | 'secrets'>
}

type Settings = Record<string, string>

/** Call at the top of a file; it ends with its tests. */
export async function openStage(
  settings: Settings | ((url: string) => Promise<Settings>) = {},
): Promise<Stage> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const given = typeof settings === 'function' ? await settings(url) : settings
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-stage-'))
  const key = randomBytes(32)
  const slipway = startSlipway(port, dataDir, database, { SECRET_KEY: key.toString('base64'), ...given })
  const ctx = { db: database.db, secrets: createSecrets([key]) }
  afterAll(async () => {
    await end(slipway)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await ready(url, slipway)
  return { url, database, ctx, ...(await openVisitors(url)) }
}

function startSlipway(port: string, dataDir: string, { connection }: TestDatabase, settings: Settings) {
  const { host, user, database } = connection
  const slipway = spawn(process.execPath, [serverProgram], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
      LOG_LEVEL: 'warn',
      LOCAL_SERVER: 'off',
      // Users sign up besides those of factories, and servers are the rig's.
      SIGNUP: 'open',
      PRIVATE_SERVERS: 'allow',
      ...findable(),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const output of [slipway.stdout, slipway.stderr]) createInterface(output).on('line', record)
  return slipway
}

async function ready(url: string, slipway: ChildProcess) {
  for (let tries = 0; tries < 900; tries++) {
    if (slipway.exitCode !== null) throw new Error(`Slipway ended with ${slipway.exitCode}.`)
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  // A file that failed to load never runs its hooks.
  await end(slipway)
  throw new Error('Slipway did not become ready.')
}

async function end(slipway: ChildProcess) {
  if (slipway.exitCode !== null) return
  const ended = new Promise((resolve) => slipway.once('close', resolve))
  slipway.kill('SIGTERM')
  await ended
}
