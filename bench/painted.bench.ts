import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { openStage } from '../test/support/browser/stage.ts'
import { runContainer } from '../test/support/stages/containers.ts'
import { makeServer, makeTeam } from '../test/support/factories/factories.ts'
import { takeHost } from '../test/support/stages/take-host.ts'
import { median, report } from './results.ts'

const host = await takeHost()
const stage = await openStage()
vi.setConfig({ testTimeout: 300_000 })

test('paints the badge after an event on the server', async () => {
  const team = await makeTeam(stage.database.db)
  const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
  for (let n = 0; n < 20; n++) await runContainer(host, { options: ['--name', `other-${n}`] })
  await runContainer(host, { options: ['--name', 'front'] })
  const page = await stage.page({ token: team.owner.token })
  await page.goto(`/dashboard/servers/${server}/containers`)
  await page.getByRole('link', { name: 'front' }).waitFor({ timeout: 60_000 })
  const times: number[] = []
  for (let round = 0; round < 15; round++)
    for (const [verb, event, word] of changes) {
      const painted = whenPainted(page, word)
      await host.exec('docker', verb, 'front')
      times.push((await painted) - (await whenHappened(event)))
    }
  expect(Math.min(...times)).toBeGreaterThan(0)
  const [time, worst] = [median(times), Math.max(...times)]
  report({
    what: 'event on the server → painted in the browser',
    bar: '≤ 500 ms',
    measured: `median ${time.toFixed(0)} ms, worst of ${times.length} ${worst.toFixed(0)} ms`,
    met: time <= 500,
  })
})

const changes = [
  ['stop', 'die', 'Exited'],
  ['start', 'start', 'Running'],
] as const

/** Time when the browser has painted the badge: the frame that shows it, and the next one. */
const whenPainted = (page: Page, word: string) =>
  page.evaluate(async (wanted) => {
    const says = () =>
      [...document.querySelectorAll('tr')].some(
        (row) => row.textContent?.startsWith('front') && row.textContent.includes(wanted),
      )
    while (!says()) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.timeOrigin + performance.now()
  }, word)

/** Docker's clock is that of this machine. */
async function whenHappened(event: string): Promise<number> {
  const until = String(Date.now() / 1_000)
  const asked = `events --since 10m --until ${until} --format {{.TimeNano}} --filter container=front --filter event=${event}`
  const said = await host.exec('docker', ...asked.split(' '))
  return Number(said.trim().split('\n').at(-1)) / 1_000_000
}
