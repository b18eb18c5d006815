import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, isAt, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { insertContainerSamples } from '../../server/areas/metrics/sample-writer.ts'

const host = await takeHost()
// Busy, but not so much that it slows other tests.
const options = ['--memory', '64m', '--cpus', '0.3']
const busy = await runContainer(host, { options, script: 'while :; do :; done' })
const stage = await openStage()
const { db } = stage.database
const { workspace, viewer } = await makeTeam(db)
const { token } = viewer
const server = await makeServer(stage.ctx, workspace, host)
const pathOf = (container: string) => `/dashboard/servers/${server}/containers/${container}`

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

test('charts the usage and limits of a container', async () => {
  const page = await stage.page({ token })
  await page.goto(pathOf(busy))
  for (const name of ['CPU (100% = one core)', 'Memory', 'Network', 'Disk'])
    await sees(chart(page, name).locator('canvas'))
  await sees(chart(page, 'Memory').getByText('of 64 MiB', { exact: true }))
  const cpu = async () =>
    Number.parseFloat(await chart(page, 'CPU (100% = one core)').innerText().then(percent))
  await expect.poll(cpu).toBeGreaterThan(2)
  for (const word of ['In', 'Out']) await sees(chart(page, 'Network').getByText(word, { exact: true }))
  for (const word of ['Read', 'Written']) await sees(chart(page, 'Disk').getByText(word, { exact: true }))

  await button(page.getByRole('group', { name: 'Range' }), '6 h').click()
  await isAt(page, `${pathOf(busy)}?range=6h`)
  await page.setViewportSize({ width: 390, height: 900 })
  await sees(chart(page, 'CPU (100% = one core)').locator('canvas'))
  await expect.poll(() => wide(page)).toBe(390)
  await host.exec('docker', 'rm', '--force', busy)
})

test('shows no metrics for a container that never ran, and keeps those of a stopped one', async () => {
  const created = await host.exec('docker', 'create', 'rig/busybox')
  const page = await stage.page({ token })
  await page.goto(pathOf(created.trim()))
  await sees(page.getByText('No metrics yet', { exact: true }))

  const at = (age: number) => new Date(Date.now() - age)
  const figures = { cpu: 12.5, memory_used: 3 * 1024 ** 2, memory_limit: 8 * 1024 ** 3 }
  const rates = { network_in: 2048, network_out: 0, disk_read: 0, disk_written: 1024 }
  const whose = { workspace_id: workspace, server_id: server, container_id: created.trim() }
  await insertContainerSamples(
    db,
    Array.from({ length: 90 }, (_, n) => ({
      ...whose,
      at: at(1_200_000 + n * 10_000),
      ...figures,
      ...rates,
    })),
  )
  await page.reload()
  // Of 16 cores, without current values.
  await sees(page.getByText('Usage: lowest 1,250%, highest 1,250%, on average 1,250%.'))
  await sees(chart(page, 'CPU (100% = one core)').getByText('–', { exact: true }))
  await sees(chart(page, 'Memory').getByText('of 8 GiB', { exact: true }))
})

/** The first value next to the title. */
const percent = (text: string) => /([\d,.]+)%/.exec(text)?.[1] ?? ''
