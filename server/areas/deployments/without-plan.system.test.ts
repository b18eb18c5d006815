import { expect, test } from 'vitest'
import { deployApplication, restartApplication, stopApplication } from '../../../contract/deployments.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { endTrial, paidEnv } from '../../../test/support/factories/billing-factories.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'
import { smallShop } from '../../../test/support/factories/small-shop.ts'

const stage = await openSmallStage(paidEnv())
const { slipway, db, host, server, workspace, token } = stage

const runningOf = async (application: string) => {
  const filter = `label=slipway.application=${application}`
  const ids = await host.exec('docker', 'ps', '--quiet', '--filter', filter)
  return ids.split('\n').filter(Boolean)
}

test('finishes queued deployments after the plan ends, and refuses new ones', async () => {
  const shop = await makeApplication(db, workspace, server, smallShop(slipway.ctx))
  const sent = { token, params: { id: shop } }
  const asked = await stage.request(shop)
  await endTrial(db, workspace)
  slipway.work()
  expect(await stage.ended(asked.id)).toMatchObject({ status: 'completed', errors: [] })
  const running = await runningOf(shop)
  expect(running).toHaveLength(1)
  await slipway.refused(deployApplication, sent, 402, 'no_plan')
  await slipway.refused(restartApplication, sent, 402, 'no_plan')
  expect(await runningOf(shop)).toEqual(running)
  // Deleting the application does not need a plan.
  const { deployment } = await slipway.ok(stopApplication, sent)
  expect(await stage.ended(deployment.id)).toMatchObject({ status: 'completed' })
  expect(await runningOf(shop)).toEqual([])
})
