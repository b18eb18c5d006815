import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workerBrowser } from '../test/support/browser/chromium.ts'
import { freePort } from '../test/support/programs/slipway-process.ts'
import { timeRouteChanges } from './click-and-paint.ts'
import { median, report } from './results.ts'
import { newDataDir, removeDataDir, logIn, type Slipway, startSlipway } from './slipway.ts'

const dataDir = newDataDir()
let slipway: Slipway
let browser: Browser

beforeAll(async () => {
  slipway = await startSlipway(Number(await freePort()), dataDir)
  browser = await workerBrowser()
})

afterAll(async () => {
  await slipway.stop()
  removeDataDir(dataDir)
  await browser.close()
})

test('loads a small login page', async () => {
  // Without any account, the page is the one to sign up.
  await logIn(slipway.url)
  const page = await browser.newPage()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body())
  })
  await page.goto(`${slipway.url}/login`, { waitUntil: 'networkidle' })
  expect(bodies.length).toBeGreaterThan(1)
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0) / 1000
  report({
    what: 'script and style on the login page, gzipped',
    bar: '≤ 130 KB',
    measured: `${total.toFixed(1)} KB in ${sizes.length} files`,
    met: total <= 130,
  })
  await page.close()
})

test('paints a route after a click', async () => {
  const token = await logIn(slipway.url)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${slipway.url}/login`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
  await page.goto(`${slipway.url}/dashboard`, { waitUntil: 'load' })
  await page.getByRole('heading', { name: /Welcome back/ }).waitFor()
  const times = await timeRouteChanges(page)
  const time = median(times)
  const worst = Math.max(...times)
  report({
    what: 'dashboard, cached: click to painted route',
    bar: '≤ 100 ms',
    measured: `median ${time.toFixed(0)} ms, worst of ${times.length} ${worst.toFixed(0)} ms`,
    met: time <= 100,
  })
  await page.close()
})
