import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as tokens from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import {
  type Buyer,
  hurry,
  makeBuyer,
  makeUntilCall,
  order,
  startMaking,
} from '../../../test/support/stages/creations.ts'
import { makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { unique } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { whileLocked } from '../../../test/support/stages/while-locked.ts'
import { newId } from '../../platform/ids.ts'
import { cancelJob } from '../../platform/jobs.ts'
import { cloudTokenSealContext } from '../cloud-tokens/cloud-token.ts'
import { removeLeftoverKey } from './jobs.ts'
import { enqueueOrphan } from './orphans.ts'

const hetzner = await startFakeHetzner()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...hurry, ...hetzner.env })
})
afterEach(() => {
  hetzner.up()
  hetzner.clear()
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

/** Creates tokens for two projects. */
async function buy() {
  const account = unique('project')
  const addOwn = () => hetzner.addToken({ account })
  const addOther = () => hetzner.addToken({ account: unique('project') })
  const buyer = await makeBuyer(slipway, { addToken: addOwn })
  const put = (secret: string) =>
    slipway.call(tokens.updateCloudToken.key, { ...sent(buyer), body: { token: secret } })
  return { buyer, account, addOwn, addOther, put }
}
const sent = ({ admin, cloudToken }: Buyer) => ({ token: admin.token, params: { id: cloudToken } })
const forget = (buyer: Buyer) => slipway.call(tokens.deleteCloudToken.key, sent(buyer))
const change = (id: Id<'server'>, set: object) =>
  slipway.db.updateTable('cloud_servers').set(set).where('server_id', '=', id).execute()
const tokenRefused = (words: string) => ({
  status: 422,
  body: { errors: { token: [expect.stringContaining(words)] } },
})
const inUse = { status: 409, body: { code: 'cloud_token_in_use' } }

test.each([
  // The worker dies at one of its writes: when the key exists, before the request, and after the creation.
  ['that may have been created', 3, 1],
  ['that is about to be asked for', 2, 0],
])('finds a server %s only with a token of the same project', async (_, diesAt, made) => {
  const { buyer, addOther, addOwn, put } = await buy()
  const id = await order(slipway, buyer)
  await startMaking(slipway, buyer, id, { diesAt }).over
  expect(hetzner.state.createdCount).toBe(made)
  hetzner.revoke(buyer.secret)
  for (const status of ['failed', 'deleting', 'provisioning'] as const) {
    await slipway.db.updateTable('servers').set({ status }).where('id', '=', id).execute()
    expect(await put(addOther())).toMatchObject(
      tokenRefused('does not know yet whether web was created with that token'),
    )
  }
  expect((await put(addOwn())).status).toBe(200)
  expect((await makeUntilCall(slipway, buyer, id)).cloud?.step).toBe('call')
  expect([hetzner.servers.length, hetzner.state.createdCount]).toEqual([1, 1])
})

test('allows another token while nothing was requested, unless the creation continues', async () => {
  const { buyer, addOther, put } = await buy()
  const id = await order(slipway, buyer)
  const begin = () => change(id, { step: 'create', cloud_key_id: '7' })
  const [got] = await whileLocked(slipway.db, buyer.cloudToken, [() => put(addOther())], begin)
  expect(got).toMatchObject(inUse)
  await change(id, { step: 'key', cloud_key_id: null })
  expect((await put(addOther())).status).toBe(200)
})

test('requests nothing with a replaced token', async () => {
  const { buyer, account } = await buy()
  const other = unique('project')
  const id = await order(slipway, buyer)
  const { publicKey } = await keyOf(id)
  // Both projects accept the order, so that the test sees which one received it.
  for (const owner of [account, other])
    hetzner.keys.push({ id: '7', account: owner, name: 'web', publicKey, created: new Date() })
  await change(id, { step: 'create', cloud_key_id: '7' })
  const token_sealed = slipway.ctx.secrets.seal(
    cloudTokenSealContext(buyer.cloudToken),
    hetzner.addToken({ account: other }),
  )
  const made = await whileLocked(slipway.db, id, [() => makeUntilCall(slipway, buyer, id)], (trx) =>
    trx.updateTable('cloud_tokens').set({ token_sealed }).where('id', '=', buyer.cloudToken).execute(),
  )
  expect(made).toMatchObject([{ cloud: { step: 'call' } }])
  expect(hetzner.servers.map((one) => one.account)).toEqual([other])
})

const keyOf = (id: Id<'server'>) =>
  slipway.db
    .selectFrom('servers')
    .select('public_key as publicKey')
    .where('id', '=', id)
    .$narrowType<{ publicKey: string }>()
    .executeTakeFirstOrThrow()

test('destroys orphans before the token is deleted', async () => {
  const { buyer, addOther, put } = await buy()
  const { workspace: workspace_id, cloudToken: cloud_token_id } = buyer
  const job = await enqueueOrphan(slipway.ctx, { workspace_id, cloud_token_id, cloud_id: '4711' })
  expect(await forget(buyer)).toMatchObject(inUse)
  expect(await put(addOther())).toMatchObject(
    tokenRefused('still needs that token to destroy an orphaned server'),
  )
  await cancelJob(slipway.db, job)
  expect((await put(addOther())).status).toBe(200)
  expect((await forget(buyer)).status).toBe(200)
})

test('deletes a rejected token despite orphans', async () => {
  const { buyer } = await buy()
  const { workspace: workspace_id } = buyer
  const cloud_token_id = await makeCloudToken(slipway.ctx, workspace_id, 'x', { error: 'It was revoked.' })
  await enqueueOrphan(slipway.ctx, { workspace_id, cloud_token_id, cloud_id: '4711' })
  expect((await forget({ ...buyer, cloudToken: cloud_token_id })).status).toBe(200)
})

test('leaves the key of a forgotten server with a rejected token, and retries an unreachable provider', async () => {
  const { buyer, account } = await buy()
  hetzner.keys.push({ id: '9', account, name: 'web', publicKey: 'ssh-ed25519 AAAA', created: new Date() })
  const left = { workspace_id: buyer.workspace, cloud_token_id: buyer.cloudToken, cloud_key_id: '9' }
  const remove = () => removeLeftoverKey(slipway.ctx, left, anyRun)
  hetzner.down()
  await expect(remove()).rejects.toThrow(/Hetzner/)
  hetzner.up()
  hetzner.revoke(buyer.secret)
  await remove()
  expect(hetzner.keys).toHaveLength(1)
  hetzner.restore(buyer.secret, { account })
  await remove()
  expect(hetzner.keys).toEqual([])
})

const anyRun = {
  id: newId('job'),
  attempt: 1,
  fence: 1,
  signal: new AbortController().signal,
  assertLease: async () => {},
}
