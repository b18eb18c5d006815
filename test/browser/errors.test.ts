import { expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { button, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const stage = await openStage()
const { token } = (await makeTeam(stage.database.db)).owner

test('confirms a copy', async () => {
  const page = await stage.page()
  await page.goto('/forgot-password')
  await button(page, 'Copy the command').click()
  await sees(toast(page, 'Copied to clipboard'))
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('npm run admin -- reset-password <email>')
})

test('logs a failed copy only', async () => {
  stage.expectError(/Could not copy to clipboard/)
  const page = await stage.page()
  await page.goto('/forgot-password')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('No clipboard here.'))
  })
  const logged = page.waitForEvent('console')
  await button(page, 'Copy the command').click()
  await logged
  await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
})

longTest('reconnects a stream without heartbeats', async () => {
  const page = await stage.visitor({ token })
  const streams: string[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('/v1/live')) streams.push(answer.url())
  })
  await page.clock.install()
  await page.goto('/dashboard/workspace')
  await expect.poll(() => streams.length).toBe(1)
  await page.clock.fastForward(41_000)
  await expect.poll(() => streams.length).toBe(2)
})

test('runs only scripts of the console and never violates the policy', async () => {
  stage.expectError(/^Policy breached: script-src-elem inline/)
  stage.expectError(/^Policy breached: script-src-attr inline/)
  stage.expectError(/Content Security Policy directive/)
  const page = await stage.page({ token })
  await page.goto('/dashboard')
  await sees(page.getByText('No recent deploys found.'))
  const breaches = await page.evaluate(async () => {
    const seen: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.violatedDirective))
    const script = document.createElement('script')
    script.textContent = 'document.title = localStorage.getItem("token")'
    document.body.append(script)
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="data:," onerror="document.title = localStorage.getItem(\'token\')">',
    )
    while (seen.length < 2) await new Promise((resolve) => requestAnimationFrame(resolve))
    return seen.toSorted()
  })
  expect(breaches).toEqual(['script-src-attr', 'script-src-elem'])
  expect(await page.title()).toBe('Home · Slipway')
})
