import { expect, onTestFinished, test, vi } from 'vitest'
import { deleteServer, getServer } from '../../../contract/servers.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { hurry, makeBuyer, makeUntilCall, order } from '../../../test/support/stages/creations.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startFakeDigitalOcean } from '../../../test/support/fakes/clouds/digital-ocean.ts'
import { startFakeVultr } from '../../../test/support/fakes/clouds/vultr.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestAccountCheck } from './check-account.ts'

const patiently = { interval: 50 }

const clouds = [
  {
    provider: 'digitalocean',
    name: 'DigitalOcean',
    startFake: startFakeDigitalOcean,
    kind: { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
    larger: 's-1vcpu-2gb',
  },
  {
    provider: 'vultr',
    name: 'Vultr',
    startFake: startFakeVultr,
    kind: { region: 'fra', type: 'vc2-1c-1gb', image: '2136' },
    larger: 'vc2-1c-2gb',
  },
]

test.each(clouds)('creates and shows a server at $name', async ({ provider, ...given }) => {
  const cloud = await given.startFake()
  onTestFinished(() => cloud.close())
  cloud.slowBoot(500)
  const slipway = await startSlipway({ ...hurry, ...cloud.env })
  onTestFinished(() => slipway.close())
  const buyer = await makeBuyer(slipway, cloud, provider)
  const id = await order(slipway, buyer, given.kind)
  const server = await makeUntilCall(slipway, buyer, id)
  const [made, ...others] = cloud.servers
  expect(others).toEqual([])
  expect(made).toMatchObject({ name: 'web', ...given.kind, tags: [`slipway-${id}`] })
  expect(made?.keys).toMatchObject([{ name: `slipway-${id}` }])
  expect(made?.userData).toMatch(/^#!\/bin\/sh\nslipway_url=/)
  expect(server).toMatchObject({ status: 'provisioning', reason: null, address: made?.address })
  expect(server.cloud).toMatchObject({
    provider,
    step: 'call',
    id: made?.id,
    status: 'running',
    address: made?.address,
    image: expect.stringMatching(/^Debian 12/),
    image_id: given.kind.image,
    price: { monthly: expect.any(Number), currency: 'USD' },
  })
})

test.each(clouds)(
  'shows changes of servers at $name and destroys them',
  async ({ provider, name, ...given }) => {
    const cloud = await given.startFake()
    onTestFinished(() => cloud.close())
    const slipway = await startSlipway({ ...cloud.env, CLOUD_TIMEOUT: '6' })
    onTestFinished(() => slipway.close())
    slipway.work()
    const { ctx, db } = slipway
    const { workspace, admin } = await makeTeam(db)
    const token = await makeCloudToken(ctx, workspace, cloud.addToken(), { provider })
    const { image: _, ...kind } = given.kind
    const make = async (there = cloud.addServer({ name: 'web-1', ...given.kind })) => {
      const { id: cloud_id, address } = there
      const row = { provider, cloud_id, address }
      const id = await makeCloudServer(ctx, workspace, token, row, { ...kind, address, status: 'pending' })
      return { id, there }
    }
    const shown = async (id: string) =>
      (await slipway.ok(getServer, { token: admin.token, params: { id } })).server
    const [one, two] = [await make(), await make()]
    cloud.resize(one.there.id, given.larger)
    cloud.removeBehindOurBack(two.there.id)
    await transaction(db, (trx) => requestAccountCheck(ctx, trx, workspace, token))
    await vi.waitFor(async () => {
      expect(await shown(one.id)).toMatchObject({
        type: given.larger,
        cloud: {
          provider_name: name,
          url: expect.stringContaining(one.there.id),
          drift: [{ kind: 'resized' }],
        },
      })
      expect((await shown(two.id)).cloud?.drift).toMatchObject([{ kind: 'deleted' }])
    }, patiently)

    cloud.state.destroyMs = 800
    for (const id of [one.id, two.id]) {
      const sent = { token: admin.token, params: { id } }
      await slipway.ok(deleteServer, { ...sent, query: { cloud: 'destroy' } })
      await vi.waitFor(() => slipway.refused(getServer, sent, 404), patiently)
    }
    expect(cloud.servers).toEqual([])
  },
)
