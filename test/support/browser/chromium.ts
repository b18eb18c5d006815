import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** Chromium without windows, which take half of a new visitor's time; or the whole of it, where that is missing. */
const shell = '/usr/bin/chromium-headless-shell'
const executablePath = process.env['CHROMIUM'] ?? (existsSync(shell) ? shell : '/usr/bin/chromium')

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts one browser for each worker, because all pages of a browser share its clipboard. Each visitor has a context of
 * their own. Browsers that a killed run left behind are found by `mark`.
 */
export async function startChromium(mark: string, workers: number) {
  const env = { ...process.env, SLIPWAY_TESTS: mark }
  const launch = () => chromium.launchServer({ executablePath, args, env, host: '127.0.0.1' })
  const servers = await Promise.all(Array.from({ length: workers }, launch))
  return {
    value: servers.map((server) => server.wsEndpoint()),
    stop: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}
