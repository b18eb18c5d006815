import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { root } from '../../../server/root.ts'
import type { TestDatabase } from '../run/database.ts'
import { temporaryFolder } from './programs.ts'
import { record } from '../run/recorded.ts'
import { findable } from './stray.ts'

export interface SlipwayProcess {
  url: string
  child: ChildProcess
  /** Output and log lines. */
  lines: string[]
  /** Resolves when ready; rejects with the last output on exit. */
  ready: Promise<void>
  /** Exit code. */
  ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

// Runs at the same time begin at different ports.
let lastPort = process.pid % 500

/** Each worker has its own port range below the ephemeral ports, so that nobody else takes it. */
export async function freePort(): Promise<string> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 20
  for (;;) {
    const port = 20_000 + worker * 500 + (lastPort++ % 500)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return String(port)
  }
}

export const started = join(root, 'dist/server/main.js')
/** The single-file build, if available, for tests that start it often. */
export const serverProgram = process.env['SERVER_PROGRAM'] ?? started

/** Starts Slipway like `npm start`; ends with the test. */
export async function startProcess(
  env: Record<string, string>,
  options: SpawnOptions = {},
  program = serverProgram,
): Promise<SlipwayProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [program], {
    ...options,
    env: {
      PATH: process.env['PATH'],
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOCAL_SERVER: 'off',
      ...findable(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const ended = once(child, 'close').then(() => child.exitCode)
  const ready = new Promise<void>((resolve, reject) => {
    const note = (line: string) => {
      lines.push(line)
      record(line)
      if (line.includes('Slipway is ready: ')) resolve()
    }
    for (const output of [child.stdout, child.stderr])
      if (output) createInterface({ input: output }).on('line', note)
    void ended.then(() => reject(new Error(`It ended:\n${lines.join('\n')}`)))
  })
  ready.catch(() => {})
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    lines,
    ready,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts another process on an existing database with this key. */
export async function startOn(
  { connection: { host, port, user, database } }: TestDatabase,
  key: Buffer,
  role: 'all' | 'web' | 'worker' = 'all',
  env: Record<string, string> = {},
): Promise<SlipwayProcess> {
  const settings = {
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    DATA_DIR: await temporaryFolder(),
    SECRET_KEY: key.toString('base64'),
    ROLE: role,
    ...env,
  }
  const slipway = await startProcess(settings)
  if (role !== 'worker') await slipway.ready
  return slipway
}

/** Status 0 means unreachable. */
export async function ask(url: string, path: string, token?: string, body?: unknown) {
  try {
    const answered = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answered.text()
    return { status: answered.status, text, retryAfter: answered.headers.get('retry-after') }
  } catch {
    return { status: 0, text: '', retryAfter: null }
  }
}

/** Signs up on a new Slipway and logs in. */
export async function enter(url: string): Promise<string> {
  const [email, password] = ['ada@example.com', 'a long enough secret']
  await ask(url, '/v1/auth/email/signup', undefined, { organisation: 'Docks', email, password })
  const { status, text } = await ask(url, '/v1/auth/email/login', undefined, { email, password })
  const token = /slp_[\w-]+/.exec(text)?.[0]
  if (status !== 200 || !token) throw new Error(`Login gave ${status} ${text}`)
  return token
}
