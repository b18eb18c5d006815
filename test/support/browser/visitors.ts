import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, vi } from 'vitest'
import { workerBrowser } from './chromium.ts'
import { createWatch, type Watch } from './watch.ts'

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
 * Visitors of the worker's browser; they leave with the file's tests. A test fails when any page reports an error or a breach of the
 * content security policy that it did not expect.
 */
export async function openVisitors(url: string): Promise<Visitors> {
  // A browser on a busy machine takes its time; nothing here waits longer than it must.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
  const watch = createWatch()
  let shared: Promise<Page> | undefined
  const contexts: BrowserContext[] = []
  const pages: Page[] = []
  afterEach(async ({ task }) => {
    const last = pages.findLast((one) => !one.isClosed())
    if (task.result?.state === 'fail' && last) task.meta.screenshot = await photograph(last, task.name)
    for (const context of contexts.splice(0)) await context.close()
    watch.check()
  })
  afterAll(async () => (await shared)?.context().close())

  async function open({ width = 1440, height = 900, dark, token, storage = {} }: VisitorOptions) {
    const stored = { ...storage, ...(token === undefined ? {} : { token }) }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const context = await (
      await workerBrowser()
    ).newContext({
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
    context.setDefaultTimeout(60_000)
    await watch.follow(context)
    const opened = await context.newPage()
    pages.push(opened)
    return opened
  }

  async function visitor(options: VisitorOptions = {}) {
    const page = await open(options)
    contexts.push(page.context())
    return page
  }

  async function page(options: VisitorOptions = {}) {
    const known = await (shared ??= open({}))
    await wipe(known, options)
    return known
  }

  return { visitor, page, expectError: watch.expect }
}

async function photograph(page: Page, name: string): Promise<string> {
  const path = join(tmpdir(), 'slipway-failures', `${name.replaceAll(/\W+/g, '-').slice(0, 80)}.png`)
  await page.screenshot({ path }).catch(() => undefined)
  return path
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
