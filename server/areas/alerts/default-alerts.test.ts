import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../contract/alerts.ts'
import { createWorkspace } from '../../../contract/workspaces.ts'
import { transaction } from '../../platform/transaction.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { createRules } from './engine-state.ts'
import { createDefaultAlerts } from './default-alerts.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ok } = slipway
slipway.work()

test('creates default alerts for a new workspace', async () => {
  const { token } = (await makeTeam(db)).owner
  await ok(createWorkspace, { token, body: { name: 'Harbour' } })
  const list = () => ok(contract.listAlerts, { token })
  await expect.poll(async () => (await list()).page.total).toBe(7)
  const { alerts } = await list()
  expect(alerts.map(({ name, threshold, for_seconds }) => [name, threshold, for_seconds])).toEqual([
    ['Certificate expiring', 14, 0],
    ['Container restarting', 2, 0],
    ['Deployment failed', null, 0],
    ['Disk nearly full', 85, 60],
    ['HTTP check failing', null, 60],
    ['Memory nearly full', 90, 300],
    ['Server unreachable', null, 60],
  ])
  expect(alerts.every(({ enabled, channels, scope }) => enabled && !channels && scope.kind === 'all')).toBe(
    true,
  )
  // An API without a root page must not fire.
  expect(alerts.find(({ kind }) => kind === 'http_check')?.check?.status).toBe('2xx, 3xx, 4xx')
})

test('updates open consoles and leaves the audit log empty', async () => {
  const { workspace } = await makeTeam(db)
  const rules = createRules(slipway.ctx)
  onTestFinished(() => rules.stop())
  await slipway.ctx.bus.ready()
  await rules.refresh(0)
  await transaction(db, (trx) => createDefaultAlerts(trx, workspace))
  await vi.waitFor(async () => expect(await rules.refresh(1)).toEqual([workspace]))
  expect(rules.of({ workspace_id: workspace, kind: 'server' })).toHaveLength(3)
  const emitted = await db.selectFrom('events').select('type').where('workspace_id', '=', workspace).execute()
  expect(emitted).toEqual([])
})
