import { expect, test } from 'vitest'
import { setCommand } from '../../../test/support/factories/application-factories.ts'
import { createRegistry, deleteRegistry, updateRegistry } from '../../../contract/registries.ts'
import { startFakeTokens } from '../../../test/support/fakes/registry-tokens.ts'
import { startPuller } from '../../../test/support/stages/pulls.ts'
import { publish, registryLogIn, startRegistry } from '../../../test/support/programs/registry.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'

const stage = await openSmallStage()
const { slipway, host, server, admin, member } = stage
slipway.work()
const { pull, ended } = startPuller(slipway, server, member.token)

const open = await startRegistry(host)
const { storage } = open
await publish(host, open, 'acme/shop:1', { a: 1_000 })
await publish(host, open, 'acme/other:1', { b: 1_000 })
const locked = await startRegistry(host, { asksForLogIn: true, storage })
const { auth } = await startFakeTokens(host.machine, {
  wide: { password: 'of no use here', scopes: [] },
  narrow: { password: 'reads the shop', scopes: ['acme/shop'] },
})
const byToken = await startRegistry(host, { tokens: auth, storage })

/** Adds credentials unchecked, because only the server can reach the registry. */
const keep = async (body: object) => {
  const sent = { token: admin.token, body: { name: 'Ours', kind: 'other', unchecked: true, ...body } }
  return (await slipway.ok(createRegistry, sent)).registry.id
}
const forget = (id: string) => slipway.ok(deleteRegistry, { token: admin.token, params: { id } })
const pulled = async (image: string) => ended((await pull(image)).id)

test('pulls private images with the credentials of the workspace, while they are valid', async () => {
  const image = `${locked.address}/acme/shop:1`
  expect((await pulled(image)).error).toMatch(/requires credentials .*the workspace has none.*Integrations/)
  const id = await keep({ host: locked.address, ...registryLogIn, password: 'wrong' })
  expect((await pulled(image)).error).toMatch(/rejected the credentials “Ours”.*Test and edit them/)
  const body = { password: registryLogIn.password, unchecked: true }
  await slipway.ok(updateRegistry, { token: admin.token, params: { id }, body })
  expect(await pulled(image)).toMatchObject({ status: 'completed', error: null })
  await forget(id)
  await host.exec('docker', 'image', 'rm', '--force', image)
  expect((await pulled(image)).status).toBe('failed')
})

test('uses the most specific credentials of a registry', async () => {
  const ids = [
    await keep({ host: byToken.address, username: 'wide', password: 'of no use here' }),
    await keep({ host: byToken.address, username: 'narrow', password: 'reads the shop', scope: 'acme/shop' }),
  ]
  expect((await pulled(`${byToken.address}/acme/shop:1`)).error).toBeNull()
  expect((await pulled(`${byToken.address}/acme/other:1`)).error).toMatch(
    /the credentials “Ours” cannot read it/,
  )
  for (const id of ids) await forget(id)
})

test('uses the credentials in deployments', async () => {
  const image = `${locked.address}/acme/other:1`
  const shop = await stage.makeShop(undefined, {
    image,
    port: null,
    health: JSON.stringify({ type: 'none', path: '/', within_seconds: 30 }),
  })
  await setCommand(stage.slipway.ctx, stage.workspace, shop, ['sleep', '600'])
  const without = await stage.deploy(shop)
  expect(without.errors[0]).toMatch(/the workspace has none/)
  const id = await keep({ host: locked.address, ...registryLogIn })
  const done = await stage.deploy(shop)
  expect([done.status, done.errors]).toEqual(['completed', []])
  const said = [...slipway.lines, ...done.data.logs].join('\n')
  expect(said).not.toContain(registryLogIn.password)
  await forget(id)
})
