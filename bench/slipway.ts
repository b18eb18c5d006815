import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { createSecrets, readKeyFile } from '../server/platform/secrets.ts'
import type { Tables } from '../server/tables.ts'
import { makeIntegration, makeServer, type TestHost } from '../test/support/factories/factories.ts'

export interface Slipway {
  url: string
  dataDir: string
  child: ChildProcess
  /** Milliseconds from the command to the first ready response. */
  startedAfter: number
  stop(): Promise<void>
}

export const newDataDir = () => mkdtempSync(join(tmpdir(), 'slipway-bench-'))
export const removeDataDir = (path: string) => rmSync(path, { recursive: true, force: true })

/** Starts Slipway with the README's command. */
export async function startSlipway(
  port: number,
  dataDir: string,
  more: Record<string, string> = {},
): Promise<Slipway> {
  const began = performance.now()
  const env = {
    ...process.env,
    ...more,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    LOCAL_SERVER: 'off',
    NODE_ENV: 'production',
  }
  const child = spawn('npm', ['start'], { env, stdio: 'ignore', detached: true })
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (performance.now() - began > 120_000) throw new Error('Slipway did not become ready.')
    await sleep(10)
  }
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    if (child.pid) process.kill(-child.pid, 'SIGINT')
    await ended
  }
  return { url, dataDir, child, startedAfter: performance.now() - began, stop }
}

const isReady = (url: string) =>
  fetch(`${url}/v1/health`).then(
    (answer) => answer.ok,
    () => false,
  )

export async function logIn(url: string): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.json()
  }
  const who = { email: 'bench@example.com', password: 'a bench password' }
  await post('/v1/auth/email/signup', { ...who, organisation: 'Bench' })
  const answer = await post('/v1/auth/email/login', who)
  if (typeof answer === 'object' && answer && 'access_token' in answer) return String(answer.access_token)
  throw new Error(`Could not log in: ${JSON.stringify(answer)}`)
}

/** Adds the rig's server to the workspace of the user. */
export const addServer = (dataDir: string, host: TestHost): Promise<string> =>
  inWorkspace(dataDir, (ctx, id) => makeServer(ctx, id, host))

/** Connects a GitHub account. */
export const addIntegration = (dataDir: string, installation: Parameters<typeof makeIntegration>[2]) =>
  inWorkspace(dataDir, ({ db }, id) => makeIntegration(db, id, installation))

type ServerInput = Parameters<typeof makeServer>

async function inWorkspace<T>(
  dataDir: string,
  work: (ctx: ServerInput[0], id: ServerInput[1]) => Promise<T>,
): Promise<T> {
  const at = { host: join(dataDir, 'postgres'), user: 'slipway', database: 'slipway' }
  const { db, pool } = connectDatabase<Tables>(at, createLog('error'))
  const secrets = createSecrets([await readKeyFile(dataDir)])
  const { id } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const made = await work({ db, secrets }, id)
  await pool.end()
  return made
}
