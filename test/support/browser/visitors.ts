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
  /** Pixels of the device for each of the page. */
  scale?: number
  /** Session token. */
  token?: string
  /** Further entries of the browser storage. */
  storage?: Record<string, string>
}

export interface Visitors {
  /** A separate browser context. */
  visitor(options?: VisitorOptions): Promise<Page>
  /** The page shared by the tests of a file, reset in between; much faster than a new visitor. */
  page(options?: VisitorOptions): Promise<Page>
  /** Allows a console error until the end of the test. */
  expectError: Watch['expect']
}

/** A route may still wait for an answer, which never comes once its page is left. */
const unanswered = { behavior: 'ignoreErrors' } as const

/** A test fails on unexpected console errors and CSP violations. */
export async function openVisitors(url: string): Promise<Visitors> {
  // Browsers are slow on a busy machine; no wait is longer than necessary.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
  const watch = createWatch()
  let shared: Promise<Page> | undefined
  const contexts: BrowserContext[] = []
  const pages: Page[] = []
  afterEach(async ({ task }) => {
    const last = pages.findLast((one) => !one.isClosed())
    if (task.result?.state === 'fail' && last) task.meta.screenshot = await photograph(last, task.name)
    for (const context of contexts.splice(0)) {
      for (const page of context.pages()) await page.unrouteAll(unanswered)
      await context.close()
    }
    const page = await shared
    if (page && !page.isClosed()) {
      // Otherwise its next refetch would count for the next test.
      await page.goto('about:blank')
      await page.unrouteAll(unanswered)
    }
    watch.check()
  })
  afterAll(async () => (await shared)?.context().close())

  async function open({ width = 1440, height = 900, dark, scale = 1, token, storage = {} }: VisitorOptions) {
    const stored = { ...storage, ...(token === undefined ? {} : { token }) }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const context = await (
      await workerBrowser()
    ).newContext({
      baseURL: url,
      viewport: { width, height },
      deviceScaleFactor: scale,
      colorScheme: dark ? 'dark' : 'light',
      // The system's locale may be unknown to browsers.
      locale: 'en-US',
      // Rendering uses the CPU.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
    })
    context.setDefaultTimeout(120_000)
    await watch.follow(context)
    const opened = await context.newPage()
    goDespiteNetworkChanges(opened)
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
  await page.unrouteAll(unanswered)
  await page.context().clearCookies()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  // A same-origin file without scripts.
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

/** Chromium aborts a navigation when a server of the rig changes the network of the machine. */
function goDespiteNetworkChanges(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (...where) => {
    try {
      return await goto(...where)
    } catch (error) {
      if (error instanceof Error && error.message.includes('ERR_NETWORK_CHANGED')) return goto(...where)
      throw error
    }
  }
}
