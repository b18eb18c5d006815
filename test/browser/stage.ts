import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createTestDatabase, type TestDatabase } from '../database.ts'

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A whole Slipway as its own process, as people start it, and a real browser in front of it. */
export interface Stage {
  url: string
  database: TestDatabase
  /** A person with a browser of their own: nothing shared with the others. */
  visitor(options?: { width?: number; height?: number; dark?: boolean }): Promise<Page>
  stop(): Promise<void>
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-stage-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { host, user, database: name } = database.connection
  const slipway = spawn(process.execPath, ['dist/server/main.js'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const contexts: BrowserContext[] = []
  let browser: Browser | undefined
  const stop = async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await end(slipway)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(url, slipway)
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: browserArgs,
    })
    const opened = browser
    const visitor: Stage['visitor'] = async ({ width = 1440, height = 900, dark = false } = {}) => {
      const context = await opened.newContext({
        baseURL: url,
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      context.setDefaultTimeout(10_000)
      return context.newPage()
    }
    return { url, database, visitor, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ready(url: string, slipway: ChildProcess) {
  for (let tries = 0; tries < 300; tries++) {
    if (slipway.exitCode !== null) throw new Error(`Slipway ended with ${slipway.exitCode}.`)
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('Slipway did not become ready.')
}

async function end(slipway: ChildProcess) {
  if (slipway.exitCode !== null) return
  const ended = new Promise((resolve) => slipway.once('close', resolve))
  slipway.kill('SIGTERM')
  await ended
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port.')),
      )
    })
  })
}
