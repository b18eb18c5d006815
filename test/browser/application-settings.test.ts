import { test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeSettings } from '../worlds/world-settings.ts'

// No worker runs, so that everything stays as the tests leave it.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const { workspace, member } = await makeTeam(db)

const server = await makeShownServer(db, workspace)

const application = () => makeApplication(db, workspace, server, { name: 'shop' })
/** An application with entries of every kind, which no test changes. */
const busy = await application()
await makeSettings(stage.ctx, workspace, busy)
const pathOf = (id: string) => `/dashboard/applications/${id}`

async function open(
  tab: string,
  { id, token = member.token }: { id?: Id<'application'>; token?: string } = {},
) {
  const opened = id ?? (await application())
  const page = await stage.page({ token })
  await page.goto(`${pathOf(opened)}/${tab}`)
  return { page, id: opened, path: `${pathOf(opened)}/${tab}` }
}

test('charts traffic by status and leaves response time empty without requests', async () => {
  const { page } = await open('metrics')
  await sees(page.getByText('No metrics yet'))
  await page.goto(`${pathOf(busy)}/metrics?range=6h`)
  const chart = (name: string) => page.getByRole('region', { name, exact: true })
  for (const name of [
    'Requests',
    'Response time',
    'Open connections',
    'Traffic',
    'CPU (100% = one core)',
    'Memory',
  ])
    await sees(chart(name).locator('canvas'))
  for (const word of ['2xx', '3xx', '4xx', '5xx'])
    await sees(chart('Requests').getByText(word, { exact: true }))
  const percentiles = /^p50: lowest 20 ms, highest 20 ms, .* p95: lowest 50 ms, .* p99: lowest 100 ms, /
  await sees(page.getByText(percentiles))
})
