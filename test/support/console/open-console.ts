import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { root } from '../../../server/root.ts'
import { startSlipway, type TestSlipway } from '../stages/context.ts'
import { openNetwork } from './network.ts'
import { type ConsolePage, leavePage, openPage, type PageOptions } from './page.ts'
import { watchChanges } from './until.ts'

export interface ConsoleStage {
  slipway: TestSlipway
  url: string
  /** Opens the console without history and closes the previous page. */
  page(options?: PageOptions): ConsolePage
  /** Allows a logged error until the end of the test. */
  expectError(pattern: RegExp): void
  untilLogged(): Promise<void>
}

/** Slipway and console in this process, for the tests of a file. A test fails on unexpected logged errors. */
export async function openConsole(env: Record<string, string> = {}): Promise<ConsoleStage> {
  const slipway = await startSlipway(env)
  const url = await slipway.listen()
  // The port is known only now.
  slipway.ctx.config.PUBLIC_URL = env['PUBLIC_URL'] ?? url
  await slipway.ctx.bus.ready()
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
  })
  return {
    slipway,
    url,
    page: (options = {}) => openPage(url, network, options),
    expectError: log.expect,
    untilLogged: log.untilLogged,
  }
}

/** Loads lazy pages ahead, because compiling them takes long. */
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
