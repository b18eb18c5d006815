import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, vi } from 'vitest'
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

export interface VisitorOptions {
  width?: number
  height?: number
  dark?: boolean
  /** Signed in with this token already. */
  token?: string
  /** What else their browser's storage holds. */
  storage?: Record<string, string>
}

export interface Visitors {
  /** A person with a browser of their own: nothing shared with the others. */
  visitor(options?: VisitorOptions): Promise<Page>
  /** The one page that a file's tests share, wiped of all that the last one left; much quicker than a new visitor. */
  page(options?: VisitorOptions): Promise<Page>
  /** Something that a page will say in its console, and that is right there; to the end of the test. */
  expectError: Watch['expect']
}

/**
 * A real browser for a file's tests; it ends with them. A test fails when any page reports an error or a breach of the
 * content security policy that it did not expect.
 */
export async function openVisitors(url: string): Promise<Visitors> {
  // A browser on a busy machine takes its time; nothing here waits longer than it must.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  const watch = createWatch()
  let browser: Browser | undefined
  afterAll(() => browser?.close())
  const contexts: BrowserContext[] = []
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    watch.check()
  })
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

  return { visitor, page, expectError: watch.expect }
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
