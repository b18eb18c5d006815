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

/** One browser for a whole run; each file's visitors have contexts of their own in it. `mark` finds it when nobody ended it. */
export async function startChromium(mark: string) {
  const env = { ...process.env, SLIPWAY_TESTS: mark }
  const server = await chromium.launchServer({ executablePath, args, env, host: '127.0.0.1' })
  return { value: server.wsEndpoint(), stop: () => server.close() }
}
