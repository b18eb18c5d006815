import { expect, test } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import { listChanges } from '../../../contract/releases.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { createProject, replaceProjectVariables } from '../../../contract/projects.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'

const { slipway, host, token, deploy, makeShop, setEnv, containersOf } = await openShopStage('1')
slipway.work()

test('passes project variables to containers, overridden by application variables', async () => {
  const { project } = await slipway.ok(createProject, { token, body: { name: 'Harbour' } })
  const put = (env: string) =>
    slipway.ok(replaceProjectVariables, { token, params: { id: project.id }, body: { env } })
  await put('GREETING=hello\nCOLOUR=red')
  const shop = await makeShop(undefined, { project_id: project.id })
  await setEnv(shop, { COLOUR: 'blue' })
  expect(await deploy(shop)).toMatchObject({ status: 'completed', errors: [] })
  expect(await environmentOf(shop)).toEqual(['COLOUR=blue', 'GREETING=hello'])
  const at = { token, params: { id: shop } }
  const isChanged = async () => (await slipway.ok(getApplication, at)).application.changed
  expect(await isChanged()).toBe(false)

  await put('GREETING=ahoy\nCOLOUR=green')
  expect(await isChanged()).toBe(true)
  expect((await slipway.ok(listChanges, at)).changes).toEqual([
    { field: 'env.GREETING', kind: 'changed', from: null, to: null },
  ])
  expect(await environmentOf(shop)).toContain('GREETING=hello')
  expect(await deploy(shop)).toMatchObject({ status: 'completed', errors: [] })
  expect(await environmentOf(shop)).toEqual(['COLOUR=blue', 'GREETING=ahoy'])
  expect(await isChanged()).toBe(false)
})

async function environmentOf(shop: Id<'application'>): Promise<string[]> {
  const [found] = JSON.parse(await host.exec('docker', 'inspect', ...(await containersOf(shop))))
  return found.Config.Env.filter((one: string) => /^(COLOUR|GREETING)=/.test(one)).toSorted()
}
