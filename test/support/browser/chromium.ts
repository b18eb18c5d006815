import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { findable } from '../programs/stray.ts'

/** Headless shell if available, because new contexts start twice as fast. */
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

let started: Promise<Browser> | undefined

/** One per worker, because all pages of a browser share its clipboard. */
export const workerBrowser = (): Promise<Browser> =>
  (started ??= chromium.launch({ executablePath, args, env: { ...process.env, ...findable() } }))
