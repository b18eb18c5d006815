import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import {
  type Buyer,
  hurry,
  makeBuyer,
  makeUntilCall,
  order,
  shown,
  startMaking,
  until,
} from '../../../test/support/stages/creations.ts'
import { Refusal } from '../../../test/support/fakes/http-service.ts'
import { startFakeDigitalOcean } from '../../../test/support/fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startGate } from '../../../test/support/fakes/gate.ts'
import { newId } from '../../platform/ids.ts'
import { jobPayloadLocation, JobStopped } from '../../platform/jobs.ts'
import { jobs } from './jobs.ts'
import { resumeOrphans } from './orphans.ts'
import { visibilityDelayMs } from './creation.ts'

const hetzner = await startFakeHetzner()
const digitalOcean = await startFakeDigitalOcean()
const gate = await startGate(digitalOcean.url)
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...hurry, ...hetzner.env, ...digitalOcean.env })
})
afterEach(() => {
  gate.open()
  for (const cloud of [hetzner, digitalOcean]) cloud.clear()
})
afterAll(async () => {
  await slipway.close()
  await gate.close()
  await hetzner.close()
  await digitalOcean.close()
})

const lost = new JobStopped('lease_lost')
const rowOf = (id: Id<'server'>) =>
  slipway.db.selectFrom('cloud_servers').selectAll().where('server_id', '=', id).executeTakeFirstOrThrow()

/** Uses DigitalOcean, which allows duplicate names. */
async function orderThere() {
  const buyer = await makeBuyer(slipway, hetzner)
  const cloudToken = await makeCloudToken(slipway.ctx, buyer.workspace, digitalOcean.addToken(), {
    provider: 'digitalocean',
  })
  const there: Buyer = { ...buyer, cloudToken }
  const what = { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' }
  return { buyer: there, id: await order(slipway, there, what) }
}

/** Waits until the provider has created the server. */
const destroyStrays = () =>
  vi.waitFor(
    async () => {
      const all = await slipway.db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', 'destroy-stray')
        .execute()
      expect(all).toHaveLength(1)
      for (const { id, payload_sealed: sealed } of all) {
        const payload: unknown = JSON.parse(slipway.ctx.secrets.open(jobPayloadLocation(id), sealed))
        await destroying?.handle(slipway.ctx, payload, anyRun)
      }
      await slipway.db.deleteFrom('jobs').where('kind', '=', 'destroy-stray').execute()
    },
    { interval: 100 },
  )
const destroying = jobs.find(({ kind }) => kind === 'destroy-stray')
const anyRun = {
  id: newId('job'),
  attempt: 1,
  fence: 1,
  signal: new AbortController().signal,
  assertLease: async () => {},
}

/** Sends requests through a gate that can delay them. */
const throughGate = () => ({
  ...slipway.ctx,
  config: { ...slipway.ctx.config, DIGITALOCEAN_API_URL: gate.url, OUTSIDE_TIMEOUT: 60 },
})

const isCreate = (call: string) => call === 'POST /v2/droplets'

describe('a worker that dies', () => {
  test('at any write leaves exactly one server with one key after the next worker', async () => {
    const buyer = await makeBuyer(slipway, hetzner)
    const deaths: string[] = []
    // No step after the call step creates anything.
    for (let diesAt = 1; !deaths.includes('call'); diesAt++) {
      const id = await order(slipway, buyer, { name: `web-${diesAt}` })
      const before = hetzner.state.createdCount
      const worker = startMaking(slipway, buyer, id, { diesAt })
      const isCalled = until(slipway, buyer, id, ({ cloud }) => cloud?.step === 'call')
      const ended = await Promise.race([worker.over, isCalled])
      isCalled.catch(() => {})
      if (ended !== undefined && !(ended instanceof JobStopped)) {
        await worker.stop()
        break
      }
      expect(ended).toEqual(lost)
      deaths.push((await shown(slipway, buyer, id)).cloud?.step ?? '')
      const { cloud, status, address } = await makeUntilCall(slipway, buyer, id)
      const made = hetzner.servers.filter(({ labels }) => Object.values(labels).includes(id))
      expect(made).toHaveLength(1)
      expect(hetzner.state.createdCount).toBe(before + 1)
      expect(hetzner.keys.filter(({ name }) => name === `slipway-${id}`)).toHaveLength(1)
      expect({ cloud: cloud?.id, status, address }).toEqual({
        cloud: made[0]?.id,
        status: 'provisioning',
        address: made[0]?.address,
      })
      hetzner.servers.length = 0
    }
    expect([...new Set(deaths)].slice(0, 3)).toEqual(['key', 'create', 'boot'])
    // Workers have died before the request, and between the response and the update of the row.
    expect(deaths.filter((step) => step === 'create').length).toBeGreaterThan(1)
  })

  test('during the create request makes the next worker wait for the result instead of repeating it', async () => {
    const { buyer, id } = await orderThere()
    gate.hold(isCreate)
    const first = startMaking(slipway, buyer, id, { ctx: throughGate() })
    await vi.waitFor(() => expect(gate.held()).toBe(1))
    first.loseLease()
    const second = startMaking(slipway, buyer, id)
    // Wait longer than the visibility delay, which starts only when the request ends.
    await sleep(visibilityDelayMs(slipway.ctx.config) + 800)
    expect(digitalOcean.state.createdCount).toBe(0)
    gate.open()
    const { cloud } = await until(slipway, buyer, id, (server) => server.cloud?.step === 'call')
    await second.stop()
    expect(await first.over).toEqual(lost)
    expect(digitalOcean.servers).toMatchObject([{ id: cloud?.id }])
    expect(digitalOcean.state.createdCount).toBe(1)
  })

  test('destroys a server that a frozen worker creates after a takeover', async () => {
    const { buyer, id } = await orderThere()
    gate.hold(isCreate)
    const first = startMaking(slipway, buyer, id, { ctx: throughGate() })
    await vi.waitFor(() => expect(gate.held()).toBe(1))
    first.loseLease()
    const asked_at = new Date(0)
    await slipway.db.updateTable('cloud_servers').set({ asked_at }).where('server_id', '=', id).execute()
    const { cloud } = await makeUntilCall(slipway, buyer, id)
    expect(digitalOcean.state.createdCount).toBe(1)
    gate.open()
    expect(await first.over).toEqual(lost)
    expect(digitalOcean.state.createdCount).toBe(2)
    await destroyStrays()
    expect(digitalOcean.servers).toMatchObject([{ id: cloud?.id }])
  })

  test('destroys a duplicate that the frozen worker left', async () => {
    const { buyer, id } = await orderThere()
    const { cloud } = await makeUntilCall(slipway, buyer, id)
    const known = digitalOcean.servers.find((one) => one.id === cloud?.id)
    if (!known) throw new Error('It is not there.')
    const { name, region, type, image, tags, account } = known
    digitalOcean.addServer({ name, region, type, image, tags, account, created: new Date(0) })
    const worker = startMaking(slipway, buyer, id)
    await vi.waitFor(() => expect(digitalOcean.servers).toMatchObject([{ id: known.id }]))
    await worker.stop()
    expect((await rowOf(id)).cloud_id).toBe(known.id)
  })

  test('adopts the duplicate when the known server is gone', async () => {
    const { buyer, id } = await orderThere()
    const { cloud } = await makeUntilCall(slipway, buyer, id)
    const known = digitalOcean.servers.find((one) => one.id === cloud?.id)
    if (!known) throw new Error('It is not there.')
    const { name, region, type, image, tags, account } = known
    const other = digitalOcean.addServer({ name, region, type, image, tags, account })
    digitalOcean.removeBehindOurBack(known.id)
    const worker = startMaking(slipway, buyer, id)
    const taken = await until(
      slipway,
      buyer,
      id,
      ({ cloud: of, address }) => of?.id === other.id && address === other.address,
    )
    await worker.stop()
    expect(taken.status).toBe('provisioning')
    expect(digitalOcean.servers).toMatchObject([{ id: other.id }])
  })

  test('resumes after ten crashes, although the job has failed', async () => {
    const buyer = await makeBuyer(slipway, hetzner)
    const id = await order(slipway, buyer)
    const jobs = () =>
      slipway.db
        .selectFrom('jobs')
        .select(['kind', 'state'])
        .where('key', '=', `cloud:${id}`)
        .orderBy('id')
        .execute()
    await resumeOrphans(slipway.ctx)
    expect(await jobs()).toHaveLength(1)
    await slipway.db
      .updateTable('jobs')
      .set({ state: 'failed', losses: 10, finished_at: new Date() })
      .where('key', '=', `cloud:${id}`)
      .execute()
    await resumeOrphans(slipway.ctx)
    expect(await jobs()).toEqual([
      { kind: 'provision-server', state: 'failed' },
      { kind: 'provision-server', state: 'queued' },
    ])
  })
})

test('an internal error leaves the result open and keeps the import token', async () => {
  const buyer = await makeBuyer(slipway, hetzner)
  const id = await order(slipway, buyer)
  const { config } = slipway.ctx
  let isAsked = false
  const faulty = {
    ...config,
    // The import command reads PUBLIC_URL.
    get PUBLIC_URL() {
      isAsked = true
      return config.PUBLIC_URL
    },
    get HCLOUD_API_URL() {
      if (isAsked) throw new TypeError('It is our fault.')
      return config.HCLOUD_API_URL
    },
  }
  const worker = startMaking(slipway, buyer, id, { ctx: { ...slipway.ctx, config: faulty } })
  expect(await worker.over).toMatchObject({ message: 'It is our fault.' })
  expect((await rowOf(id)).asked_at).not.toBeNull()
  const lines = await slipway.db
    .selectFrom('import_tokens')
    .where('server_id', '=', id)
    .select('name')
    .execute()
  expect(lines).toHaveLength(1)
  expect((await makeUntilCall(slipway, buyer, id)).cloud?.step).toBe('call')
  expect(hetzner.state.createdCount).toBe(1)
})

test.each([
  ['not yet', 2, { status: 'provisioning', cloud: { step: 'call' } }],
  ['never', 9, { status: 'failed', reason: expect.stringContaining('did not find the SSH key') }],
])('waits a limited time for a key that the provider knows %s', async (_, times, ended) => {
  const { buyer, id } = await orderThere()
  const message = '1 are invalid key identifiers for Droplet creation.'
  digitalOcean.fail('create', new Refusal(422, { id: 'unprocessable_entity', message }), times)
  expect(await makeUntilCall(slipway, buyer, id)).toMatchObject(ended)
})

describe('destroying a server during its creation', () => {
  const destroy = ({ admin }: Buyer, id: Id<'server'>) =>
    slipway.ok(contract.deleteServer, { token: admin.token, params: { id }, query: { cloud: 'destroy' } })

  test('during the create request saves the result for the destruction', async () => {
    const { buyer, id } = await orderThere()
    gate.hold(isCreate)
    const worker = startMaking(slipway, buyer, id, { ctx: throughGate() })
    await vi.waitFor(() => expect(gate.held()).toBe(1))
    await destroy(buyer, id)
    gate.open()
    expect(await worker.over).toBeUndefined()
    const [made] = digitalOcean.servers
    expect(await rowOf(id)).toMatchObject({ cloud_id: made?.id, asked_at: null })
    expect(await shown(slipway, buyer, id)).toMatchObject({ status: 'deleting' })
  })

  test('before the create request prevents it', async () => {
    const { buyer, id } = await orderThere()
    gate.hold((call) => call.startsWith('GET /v2/droplets'))
    const worker = startMaking(slipway, buyer, id, { ctx: throughGate() })
    await vi.waitFor(() => expect(gate.held()).toBe(1))
    await destroy(buyer, id)
    gate.open()
    expect(await worker.over).toBeUndefined()
    expect(digitalOcean.state.createdCount).toBe(0)
  })

  test('destroys a server that a frozen worker creates after the row was deleted', async () => {
    const { buyer, id } = await orderThere()
    gate.hold(isCreate)
    const worker = startMaking(slipway, buyer, id, { ctx: throughGate() })
    await vi.waitFor(() => expect(gate.held()).toBe(1))
    worker.loseLease()
    await slipway.db.deleteFrom('servers').where('id', '=', id).execute()
    gate.open()
    expect(await worker.over).toEqual(lost)
    expect(digitalOcean.state.createdCount).toBe(1)
    await destroyStrays()
    expect(digitalOcean.servers).toEqual([])
  })
})
