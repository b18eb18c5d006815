import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from 'node:util'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { root } from '../../../server/root.ts'
import { startSlipway, type TestSlipway } from '../stages/context.ts'
import { showDocument } from './document.ts'
import { openNetwork } from './network.ts'
import type { ConsolePage, PageOptions } from './page.ts'
import { watchChanges } from './until.ts'

export interface ConsoleStage {
  slipway: TestSlipway
  url: string
  /** The console as a browser without a history has it; the page before it is closed. */
  page(options?: PageOptions): ConsolePage
  /** Something that the page will log as an error, and that is right there; to the end of the test. */
  expectError(pattern: RegExp): void
  /** Waits until the page has logged an error. */
  untilLogged(): Promise<void>
}

/**
 * The console in front of a whole Slipway in this process, for a file's tests, called at its top; both end with them. A
 * test fails when the page logs an error that it did not expect.
 */
export async function openConsole(env: Record<string, string> = {}): Promise<ConsoleStage> {
  const slipway = await startSlipway(env)
  const url = await slipway.listen()
  // Its port was not known before.
  slipway.ctx.config.PUBLIC_URL = env['PUBLIC_URL'] ?? url
  await slipway.ctx.bus.ready()
  const hideDocument = showDocument()
  // The console asks for the document as soon as it is loaded.
  const { leavePage, openPage } = await import('./page.ts')
  await loadPages()
  const network = openNetwork(url)
  const log = listenToConsole()
  watchChanges()
  afterEach(() => {
    leavePage(network)
    log.check()
  })
  afterAll(async () => {
    log.close()
    network.close()
    await slipway.close()
    await vi.dynamicImportSettled()
    // A dismissed toast is removed 200 ms later, by a timer that outlives the page and asks for the window.
    await sleep(300)
    hideDocument()
  })
  return {
    slipway,
    url,
    page: (options = {}) => openPage(url, network, options),
    expectError: log.expect,
    untilLogged: log.untilLogged,
  }
}

/** The console loads most of them when they are opened, which takes long where they are compiled first. */
async function loadPages(): Promise<void> {
  const folder = join(root, 'console/pages')
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.tsx'))) await import(join(folder, file))
}

function listenToConsole() {
  const { error, warn } = console
  const heard: string[] = []
  const expected: RegExp[] = []
  Object.assign(console, {
    error: (...words: unknown[]) => heard.push(format(...words)),
    warn: (...words: unknown[]) => heard.push(format(...words)),
  })
  return {
    expect: (pattern: RegExp) => void expected.push(pattern),
    untilLogged: () => vi.waitFor(() => expect(heard).not.toEqual([])),
    check() {
      const [said, wanted] = [heard.splice(0), expected.splice(0)]
      const surprises = said.filter((line) => !wanted.some((pattern) => pattern.test(line)))
      const silent = wanted.filter((pattern) => !said.some((line) => pattern.test(line)))
      if (surprises.length > 0) throw new Error(`The page logged:\n${surprises.join('\n')}`)
      if (silent.length > 0) throw new Error(`The page did not log ${silent.join(', ')}.`)
    },
    close: () => Object.assign(console, { error, warn }),
  }
}
