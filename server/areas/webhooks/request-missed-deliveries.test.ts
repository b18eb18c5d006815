import { afterAll, expect, test, vi } from 'vitest'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'
import { requestMissedDeliveries } from './request-missed-deliveries.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const { github, db, ctx, work, handled, deploymentsOf, connectRepository } = stage

const ask = () => requestMissedDeliveries(ctx, AbortSignal.timeout(20_000))
const again = () => github.asked.filter((one) => one.endsWith('/attempts')).length
const timesOf = (guid = '') => github.app.attempts.filter((one) => one.guid === guid)

test('requests deliveries missed while Slipway was down, but not those received', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop()
  const arrived = await github.push(name, { branch: 'other' })
  const here = github.app.hookUrl
  github.app.hookUrl = 'http://127.0.0.1:1/v1/events/github'
  const { sha, sent } = await github.push(name)
  expect(sent[0]?.status).toBe(502)
  github.app.hookUrl = here
  // More than one page of deliveries precedes the missed one.
  const [known] = github.app.attempts.slice(0, 1)
  const filler = Array.from({ length: 120 }, (_, n) => ({ id: 2n ** 60n + BigInt(n), guid: `filler ${n}` }))
  for (const one of filler) if (known) github.app.attempts.push({ ...known, ...one, deliveredAt: new Date() })
  await ask()
  work()
  await vi.waitFor(async () => expect(await deploymentsOf(shop)).toHaveLength(1))
  expect(await handled(shop)).toMatchObject({ sha, status: 'deployed' })
  expect(timesOf(sent[0]?.delivery)).toMatchObject([
    { statusCode: 502, redelivery: false },
    { statusCode: 202, redelivery: true },
  ])
  expect(timesOf(arrived.sent[0]?.delivery)).toHaveLength(1)
  await ask()
  expect(again()).toBe(1)
})

test('skips received deliveries that GitHub lists as failed, and backs off for repeated failures', async () => {
  const { name, makeShop } = await connectRepository()
  await makeShop()
  const before = again()
  const { sent } = await github.push(name)
  const unheard = timesOf(sent[0]?.delivery)[0]
  if (unheard) unheard.statusCode = 504
  await ask()
  expect(again()).toBe(before)
  await db
    .deleteFrom('deliveries')
    .where('delivery', '=', sent[0]?.delivery ?? '')
    .execute()
  github.app.hookUrl = 'http://127.0.0.1:1/v1/events/github'
  await ask()
  await vi.waitFor(() => expect(timesOf(sent[0]?.delivery)).toHaveLength(2))
  await ask()
  expect(again()).toBe(before + 1)
  const last = timesOf(sent[0]?.delivery)[1]
  if (last) last.deliveredAt = new Date(Date.now() - 6 * 60_000)
  await ask()
  expect(again()).toBe(before + 2)
})
