import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { findable } from '../programs/stray.ts'

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

let started: Promise<Browser> | undefined

/** One for each worker, because all pages of a browser share its clipboard. It ends with the worker. */
export const workerBrowser = (): Promise<Browser> =>
  (started ??= chromium.launch({ executablePath, args, env: { ...process.env, ...findable() } }))
