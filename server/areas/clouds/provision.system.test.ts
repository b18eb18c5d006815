import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as tokens from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import {
  aWhile,
  hurry,
  makeBuyer,
  makeUntilCall,
  order,
  shown,
  startMaking,
  until,
} from '../../../test/support/stages/creations.ts'
import { eventsOf, eventsOfTarget } from '../../../test/support/clients/events.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'

const hetzner = await startFakeHetzner()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...hurry, ...hetzner.env })
})
afterEach(() => {
  hetzner.liftRate()
  hetzner.slowBoot(50)
  hetzner.state.soldOut.clear()
  hetzner.state.quota = 10
  hetzner.clear()
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

const buy = () => makeBuyer(slipway, hetzner)
const again = (buyer: Awaited<ReturnType<typeof buy>>, id: string, body: object = {}) =>
  slipway.call(contract.provisionServer.key, { token: buyer.admin.token, params: { id }, body })

test('creates a server with key, tag and script, and shows its progress', async () => {
  const buyer = await buy()
  const id = await order(slipway, buyer, { name: 'Wéb 1 (prod)' })
  const before = await shown(slipway, buyer, id)
  expect(before).toMatchObject({ status: 'provisioning', reason: null, address: null, region: 'fsn1' })
  expect(before.cloud).toMatchObject({
    step: 'key',
    id: null,
    origin: 'created',
    image: 'Debian 12',
    image_id: 'debian-12',
  })
  expect(before.cloud?.price?.monthly).toBeGreaterThan(0)
  expect(hetzner.asked.filter((asked) => asked.startsWith('POST'))).toEqual([])
  const after = await makeUntilCall(slipway, buyer, id)
  const [made, ...others] = hetzner.servers
  expect(others).toEqual([])
  expect(made).toMatchObject({ name: 'web-1-prod', region: 'fsn1', type: 'cx23' })
  expect(Object.values(made?.labels ?? {})).toEqual([id])
  expect(made?.keys).toEqual(hetzner.keys)
  const { public_key } = await slipway.db
    .selectFrom('servers')
    .select('public_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(hetzner.keys).toMatchObject([{ name: `slipway-${id}`, publicKey: public_key }])
  expect(after).toMatchObject({ status: 'provisioning', reason: null, address: made?.address })
  expect(after.cloud).toMatchObject({ step: 'call', id: made?.id, status: 'running', address: made?.address })
  const url = /^slipway_url='?([^'\n]*)'?$/m.exec(made?.userData ?? '')?.[1] ?? ''
  const token = url.split('/').at(-1) ?? ''
  const script = await slipway.call('GET /v1/import/server/{token}', { params: { token } })
  expect(script.text).toContain(`slipway_key='${public_key}'`)
  expect(made?.userData).toMatch(/^#!\/bin\/sh\n[\x20-\x7e\n]+$/)
  expect(made?.userData).not.toContain(buyer.secret)
  expect(await eventsOf(slipway.db, buyer.workspace)).toEqual(['server.ordered'])
})

describe('when the provider refuses', () => {
  test.each([
    ['quota', () => void (hetzner.state.quota = 0)],
    ['sold out since it was looked at', () => hetzner.soldOut('cx23', 'fsn1')],
    [
      'name taken by another server',
      () => void hetzner.addServer({ name: 'web', region: 'fsn1', type: 'cx23', image: 'debian-12' }),
    ],
  ])('%s: fails, leaves nothing running, and can be retried', async (_, obstruct) => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    obstruct()
    const failed = await makeUntilCall(slipway, buyer, id)
    expect(failed.status).toBe('failed')
    expect(failed.reason).toMatch(/^\S.* No server was created, so nothing is billed\. .*\.$/)
    expect(failed.cloud).toMatchObject({ step: 'create', id: null })
    expect(hetzner.state.createdCount).toBe(0)
    expect((await eventsOfTarget(slipway.db, id)).at(-1)).toEqual(['server.creation_failed', failed.reason])
    const lines = await slipway.db
      .selectFrom('import_tokens')
      .where('server_id', '=', id)
      .select('name')
      .execute()
    expect(lines).toEqual([])
    hetzner.state.quota = 10
    hetzner.state.soldOut.clear()
    // Another name resolves the conflict.
    expect((await again(buyer, id, { name: 'Web B' })).status).toBe(202)
    expect(await makeUntilCall(slipway, buyer, id)).toMatchObject({ name: 'Web B', cloud: { step: 'call' } })
    expect(hetzner.servers.at(-1)).toMatchObject({ name: 'web-b' })
    expect(hetzner.state.createdCount).toBe(1)
  })

  test('a read-only token fails the creation and is reported at the token', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    hetzner.restore(buyer.secret, { rights: 'read' })
    const failed = await makeUntilCall(slipway, buyer, id)
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('nothing is billed') })
    const { cloud_token: token } = await slipway.ok(tokens.getCloudToken, {
      token: buyer.admin.token,
      params: { id: buyer.cloudToken },
    })
    expect(failed.reason).toContain(token.error)
  })

  test('allows another configuration only while no server exists', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    expect(await again(buyer, id)).toMatchObject({ status: 409, body: { code: 'not_failed' } })
    hetzner.soldOut('cx23', 'fsn1')
    await makeUntilCall(slipway, buyer, id)
    const wrong = await again(buyer, id, { region: 'mars', image: 'windows' })
    expect(wrong).toMatchObject({ status: 422, body: { errors: { region: [/mars/], image: [/windows/] } } })
    expect((await again(buyer, id, { type: 'cx33' })).status).toBe(202)
    const dearer = await makeUntilCall(slipway, buyer, id)
    expect(dearer).toMatchObject({ type: 'cx33', cloud: { step: 'call' } })
    expect(hetzner.servers).toMatchObject([{ type: 'cx33' }])
    const failed = { status: 'failed' as const, reason: 'It did not call.' }
    await slipway.db.updateTable('servers').set(failed).where('id', '=', id).execute()
    for (const other of [{ type: 'cx43' }, { name: 'other' }])
      expect(await again(buyer, id, other)).toMatchObject({ status: 409, body: { code: 'already_made' } })
    expect((await again(buyer, id, { name: dearer.name })).status).toBe(202)
  })
})

describe('when a response is lost', () => {
  test.each([
    ['answered 500', () => hetzner.failAfter('create')],
    ['cut off', () => hetzner.loseAnswer('create')],
  ])('%s after the creation: adopts the server and creates no second one', async (_, obstruct) => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    obstruct()
    const made = await makeUntilCall(slipway, buyer, id)
    expect(made).toMatchObject({ status: 'provisioning', reason: null })
    expect(made.cloud).toMatchObject({ step: 'call', id: hetzner.servers[0]?.id })
    expect(hetzner.state.createdCount).toBe(1)
  })

  test('before the creation: requests again once it is certain', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    hetzner.fail('create', 'broken', 1)
    expect((await makeUntilCall(slipway, buyer, id)).cloud?.step).toBe('call')
    expect(hetzner.state.createdCount).toBe(1)
  })

  test.each([
    ['before the list has it', 700],
    ['when not even then the list has it, and its name is taken', 3_000],
  ])('%s: waits', async (_, lag) => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    hetzner.loseAnswer('create')
    const worker = startMaking(slipway, buyer, id)
    const made = await vi.waitFor(() => {
      const [server] = hetzner.servers
      if (!server) throw new Error('It was not made.')
      return server
    })
    const mark = { ...made.labels }
    made.labels = {}
    setTimeout(() => (made.labels = mark), lag)
    const shownAt = await until(
      slipway,
      buyer,
      id,
      ({ status, cloud }) => status === 'failed' || cloud?.step === 'call',
    )
    await worker.stop()
    expect(shownAt.cloud).toMatchObject({ step: 'call', id: made.id })
    expect(hetzner.state.createdCount).toBe(1)
  })
})

describe('while the provider is unreachable', () => {
  test.each([
    ['down', () => hetzner.down(), () => hetzner.up()],
    ['out of calls', () => hetzner.limitRate({ retryAfter: 1 }), () => hetzner.liftRate()],
  ])('%s: waits, reports it, and does not count the time', async (_, obstruct, relieve) => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    obstruct()
    const worker = startMaking(slipway, buyer, id)
    const waiting = await until(slipway, buyer, id, ({ reason }) => reason !== null)
    expect(waiting.status).toBe('provisioning')
    expect(waiting.reason).toMatch(/Hetzner.*\. Slipway has been retrying since \d\d:\d\d UTC\.$/)
    relieve()
    const made = await until(slipway, buyer, id, ({ cloud }) => cloud?.step === 'call')
    expect(made.reason).toBeNull()
    obstruct()
    await until(slipway, buyer, id, ({ reason }) => reason !== null)
    const { waited_seconds: before } = await waited(id)
    await aWhile()
    expect(await shown(slipway, buyer, id)).toMatchObject({ status: 'provisioning' })
    const back = performance.now()
    relieve()
    await until(slipway, buyer, id, ({ reason }) => reason === null)
    const later = await vi.waitFor(async () => {
      const { waited_seconds: seconds } = await waited(id)
      expect(seconds).toBeGreaterThan(before)
      return seconds
    })
    expect(later - before).toBeLessThan((performance.now() - back) / 1_000 + 0.2)
    await worker.stop()
    expect(hetzner.state.createdCount).toBe(1)
  })

  const waited = (id: Id<'server'>) =>
    slipway.db
      .selectFrom('cloud_servers')
      .select('waited_seconds')
      .where('server_id', '=', id)
      .executeTakeFirstOrThrow()

  test('waits for a new token after a revocation and continues with it', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    hetzner.revoke(buyer.secret)
    // The stored reason is from an earlier outage of the provider.
    const reason = 'Hetzner did not answer. Slipway has been retrying since 03:04 UTC.'
    await slipway.db.updateTable('servers').set({ reason }).where('id', '=', id).execute()
    const worker = startMaking(slipway, buyer, id)
    const waiting = await until(slipway, buyer, id, ({ reason }) => reason?.includes('token') === true)
    expect(waiting.status).toBe('provisioning')
    expect(waiting.reason).toMatch(/^Hetzner rejected this token: .* has been retrying since 03:04 UTC\.$/)
    const mine = { token: buyer.admin.token, params: { id: buyer.cloudToken } }
    expect((await slipway.ok(tokens.getCloudToken, mine)).cloud_token.error).not.toBeNull()
    await slipway.ok(tokens.updateCloudToken, { ...mine, body: { token: hetzner.addToken() } })
    await until(slipway, buyer, id, ({ cloud }) => cloud?.step === 'call')
    await worker.stop()
    expect((await slipway.ok(tokens.getCloudToken, mine)).cloud_token.error).toBeNull()
  })
})

describe('a server that does not start', () => {
  /** Uses up nearly all of the time limit. */
  const useUpTime = (id: Id<'server'>) =>
    slipway.db.updateTable('cloud_servers').set({ waited_seconds: 3.5 }).where('server_id', '=', id).execute()

  test('fails with the cost when the boot times out', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    hetzner.neverBoots()
    const first = startMaking(slipway, buyer, id)
    await until(slipway, buyer, id, ({ cloud }) => cloud?.step === 'boot')
    await first.stop()
    await useUpTime(id)
    const worker = startMaking(slipway, buyer, id)
    const failed = await until(slipway, buyer, id, ({ status }) => status === 'failed')
    expect(await worker.over).toBeUndefined()
    expect(failed.reason).toMatch(
      /^Hetzner created the server, but it did not start within 4 seconds\. .* delete the server\. It costs €\d+\.\d\d a month until it is deleted\.$/,
    )
    expect(failed.cloud).toMatchObject({ step: 'boot', id: hetzner.servers[0]?.id })
    hetzner.slowBoot(10)
    expect((await again(buyer, id)).status).toBe(202)
    expect((await makeUntilCall(slipway, buyer, id)).cloud?.step).toBe('call')
    expect(hetzner.state.createdCount).toBe(1)
  })

  test('fails with the address when the server never connects', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    await makeUntilCall(slipway, buyer, id)
    await useUpTime(id)
    const worker = startMaking(slipway, buyer, id)
    const failed = await until(slipway, buyer, id, ({ status }) => status === 'failed')
    expect(await worker.over).toBeUndefined()
    expect(failed.reason).toMatch(
      new RegExp(
        `^The server is running at ${hetzner.servers[0]?.address}, but did not connect to Slipway at http://slipway\\.test within 4 seconds\\. .*/var/log/cloud-init-output\\.log.* costs €`,
      ),
    )
    expect(failed.cloud?.step).toBe('call')
  })

  test('fails when the server is deleted at the provider, and creates a new one on retry', async () => {
    const buyer = await buy()
    const id = await order(slipway, buyer)
    const { cloud } = await makeUntilCall(slipway, buyer, id)
    hetzner.removeBehindOurBack(cloud?.id ?? '')
    const worker = startMaking(slipway, buyer, id)
    const failed = await until(slipway, buyer, id, ({ status }) => status === 'failed')
    expect(await worker.over).toBeUndefined()
    expect(failed).toMatchObject({
      address: null,
      reason: expect.stringMatching(/^The server was deleted at Hetzner before .* no longer billed/),
      cloud: { step: 'create', id: null, address: null },
    })
    const moved = { token: buyer.admin.token, params: { id }, body: { address: '203.0.113.9' } }
    await slipway.refused(contract.updateServer, moved, 409, 'not_made')
    expect((await again(buyer, id)).status).toBe(202)
    const made = await makeUntilCall(slipway, buyer, id)
    expect(made.cloud?.id).toBe(hetzner.servers[0]?.id)
    expect(hetzner.state.createdCount).toBe(2)
  })
})
