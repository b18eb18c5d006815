import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, vi } from 'vitest'
import type { Context } from '../../server/context.ts'
import { createSecrets } from '../../server/platform/secrets.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { freePort, serverProgram } from '../slipway-process.ts'
import { findable } from '../stray.ts'
import { createWatch, type Watch } from './watch.ts'

/** Chromium without windows, which take half of a new visitor's time; or the whole of it, where that is missing. */
const shell = '/usr/bin/chromium-headless-shell'
const executablePath = process.env['CHROMIUM'] ?? (existsSync(shell) ? shell : '/usr/bin/chromium')

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface VisitorOptions {
  width?: number
  height?: number
  dark?: boolean
  /** Signed in with this token already. */
  token?: string
  /** What else their browser's storage holds. */
  storage?: Record<string, string>
}

/** A whole Slipway as its own process, as people start it, and a real browser in front of it. */
export interface Stage {
  url: string
  database: TestDatabase
  /** For factories of what has secrets: they are sealed with the key of this Slipway. */
  ctx: Pick<Context, 'db' | 'secrets'>
  /** A person with a browser of their own: nothing shared with the others. */
  visitor(options?: VisitorOptions): Promise<Page>
  /** The one page that a file's tests share, wiped of all that the last one left; much quicker than a new visitor. */
  page(options?: VisitorOptions): Promise<Page>
  /** Something that a page will say in its console, and that is right there; to the end of the test. */
  expectError: Watch['expect']
}

type Settings = Record<string, string>

/**
 * One for a file's tests, called at its top; it ends with them. A test fails when any page reports an error or a
 * breach of the content security policy that it did not expect.
 */
export async function openStage(
  settings: Settings | ((url: string) => Promise<Settings>) = {},
): Promise<Stage> {
  // A browser on a busy machine takes its time; nothing here waits longer than it must.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const given = typeof settings === 'function' ? await settings(url) : settings
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-stage-'))
  const watch = createWatch()
  const key = randomBytes(32)
  const slipway = startSlipway(port, dataDir, database, { SECRET_KEY: key.toString('base64'), ...given })
  const ctx = { db: database.db, secrets: createSecrets([key]) }
  let browser: Browser | undefined
  afterAll(async () => {
    await browser?.close()
    await end(slipway)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const contexts: BrowserContext[] = []
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    watch.check()
  })
  await ready(url, slipway)
  const opened = await chromium.launch({ executablePath, args: browserArgs })
  browser = opened

  async function open({ width = 1440, height = 900, dark, token, storage = {} }: VisitorOptions) {
    const stored = { ...storage, ...(token === undefined ? {} : { token }) }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const context = await opened.newContext({
      baseURL: url,
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      // It would take that of the machine, which may be one that no browser has.
      locale: 'en-US',
      // Every frame is drawn by the processor.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
    })
    context.setDefaultTimeout(20_000)
    await watch.follow(context)
    return context.newPage()
  }

  async function visitor(options: VisitorOptions = {}) {
    const page = await open(options)
    contexts.push(page.context())
    return page
  }

  let shared: Promise<Page> | undefined
  async function page(options: VisitorOptions = {}) {
    const known = await (shared ??= open({}))
    await wipe(known, options)
    return known
  }

  return { url, database, ctx, visitor, page, expectError: watch.expect }
}

async function wipe(
  page: Page,
  { width = 1440, height = 900, dark, token, storage = {} }: VisitorOptions,
): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll()
  await page.context().clearCookies()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  // A file of the same origin that runs nothing.
  await page.goto('/icon.svg')
  await page.evaluate(
    (entries) => {
      sessionStorage.clear()
      localStorage.clear()
      for (const [name, value] of entries) localStorage.setItem(name, value)
    },
    Object.entries({ ...storage, ...(token === undefined ? {} : { token }) }),
  )
}

function startSlipway(port: string, dataDir: string, { connection }: TestDatabase, settings: Settings) {
  const { host, user, database } = connection
  return spawn(process.execPath, [serverProgram], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
      LOG_LEVEL: 'warn',
      LOCAL_SERVER: 'off',
      ...findable(),
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function ready(url: string, slipway: ChildProcess) {
  for (let tries = 0; tries < 900; tries++) {
    if (slipway.exitCode !== null) throw new Error(`Slipway ended with ${slipway.exitCode}.`)
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  // Nothing of the file runs any more, not even what would end it.
  await end(slipway)
  throw new Error('Slipway did not become ready.')
}

async function end(slipway: ChildProcess) {
  if (slipway.exitCode !== null) return
  const ended = new Promise((resolve) => slipway.once('close', resolve))
  slipway.kill('SIGTERM')
  await ended
}
