import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median, report } from './results.ts'
import { newDataDir, removeDataDir, logIn, type Slipway, startSlipway } from './slipway.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
]
const dataDir = newDataDir()
let slipway: Slipway
let browser: Browser

beforeAll(async () => {
  slipway = await startSlipway(4930, dataDir)
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args })
})

afterAll(async () => {
  await browser.close()
  await slipway.stop()
  removeDataDir(dataDir)
})

test('loads a small login page', async () => {
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
  // Cached means that the page was visited before.
  for (const name of ['Servers', 'Applications', 'Projects', 'Home']) await clickAndPaint(page, name)
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    for (const name of ['Servers', 'Applications', 'Projects', 'Home'])
      times.push(await clickAndPaint(page, name))
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

const headings: Record<string, string> = { Home: 'Welcome back,' }

/** Measured in the page, without overhead of the test: click, heading, two frames. */
function clickAndPaint(page: Page, name: string): Promise<number> {
  return page.evaluate(
    async ([link, heading]) => {
      const target = [...document.querySelectorAll('nav a, aside a')].find(
        (a) => a.textContent?.trim() === link,
      )
      if (!(target instanceof HTMLElement)) throw new Error(`There is no link ${link}.`)
      const began = performance.now()
      target.click()
      const painted = () => document.querySelector('h1')?.textContent?.includes(heading)
      while (!painted()) {
        if (performance.now() - began > 10_000) throw new Error(`${link} was not painted.`)
        await new Promise(requestAnimationFrame)
      }
      await new Promise(requestAnimationFrame)
      return performance.now() - began
    },
    [name, headings[name] ?? name] as const,
  )
}
