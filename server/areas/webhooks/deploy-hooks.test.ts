import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { getHook, receiveEvent, rotateHook } from '../../../contract/webhooks.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const { slipway, db, workspace, server, token, work, deliveries, handled, deploymentsOf } = stage

const hookOf = async (id: Id<'application'>) => (await slipway.ok(getHook, { token, params: { id } })).hook
const nameOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? ''

/** Calls the hook like a CI job. */
const press = (hook: { url: string }, headers: Record<string, string>, raw?: string) =>
  slipway.call(receiveEvent.key, { params: { hook: nameOf(hook) }, headers, raw })

test('deploys with the secret in either header and records the time', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  expect(hook).toMatchObject({
    url: expect.stringMatching(/^http:\/\/slipway\.test\/v1\/events\/hook_/),
    used_at: null,
  })
  expect(await hookOf(shop)).toEqual(hook)
  work()
  expect((await press(hook, { secret: hook.secret }, 'ref=main')).status).toBe(202)
  expect(await handled(shop)).toMatchObject({
    hook: 'deploy',
    event: 'deploy',
    status: 'deployed',
    outcomes: [{ application: { id: shop }, summary: 'Deployment requested.' }],
  })
  expect(await deploymentsOf(shop)).toMatchObject([
    { type: 'deploy_application', status: 'queued', actor_name: 'Deploy hook' },
  ])
  expect((await press(hook, { 'x-hook-secret': hook.secret })).status).toBe(202)
  expect((await hookOf(shop)).used_at).not.toBeNull()
})

test('deploys once for a repeated Idempotency-Key', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  for (const key of ['run-17', 'run-17', 'run-18'])
    expect((await press(hook, { secret: hook.secret, 'idempotency-key': key })).status).toBe(202)
  expect(await deliveries(shop)).toHaveLength(2)
})

test('responds alike to a wrong secret, no secret and an unknown hook, and stores nothing', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  const { secret } = hook
  const answers = [
    await press(hook, { secret: `${secret}x` }),
    await press(hook, {}),
    await press({ url: `${hook.url}x` }, { secret }),
    await press({ url: '/hook_none' }, { secret }),
  ]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 401, body: { code: 'wrong_secret' } })
  expect((await press(hook, { secret }, 'x'.repeat(65_537))).status).toBe(413)
  expect(await deliveries(shop)).toEqual([])
  expect((await hookOf(shop)).used_at).toBeNull()
  expect((await press(hook, { secret }, 'x'.repeat(65_536))).status).toBe(202)
})

test('rotates the secret, keeps the URL and records it in the audit log', async () => {
  const shop = await makeApplication(db, workspace, server)
  const before = await hookOf(shop)
  const { hook: after } = await slipway.ok(rotateHook, { token, params: { id: shop } })
  expect(after).toMatchObject({ url: before.url })
  expect(after.secret).not.toBe(before.secret)
  expect((await press(after, { secret: before.secret })).status).toBe(401)
  expect((await press(after, { secret: after.secret })).status).toBe(202)
  const events = await db.selectFrom('events').select('type').where('target_id', '=', shop).execute()
  expect(events).toEqual([{ type: 'application.hook_rotated' }])
  const kept = JSON.stringify(await db.selectFrom('deliveries').selectAll().execute())
  for (const secret of [before.secret, after.secret]) {
    expect(kept).not.toContain(secret)
    expect(slipway.lines.join('\n')).not.toContain(secret)
  }
})

test('shows why a delivery was refused and has no hook for an application being deleted', async () => {
  const [shop, gone] = [
    await makeApplication(db, workspace, server, { image: null, source_type: 'compose' }),
    await makeApplication(db, workspace, server),
  ]
  const [hook, ofGone] = [await hookOf(shop), await hookOf(gone)]
  work()
  await press(hook, { secret: hook.secret })
  expect(await handled(shop)).toMatchObject({
    status: 'failed',
    outcomes: [{ summary: expect.stringMatching(/has no image to deploy/), deployment_id: null }],
  })
  await db.updateTable('applications').set({ deleting_at: new Date() }).where('id', '=', gone).execute()
  expect((await press(ofGone, { secret: ofGone.secret })).status).toBe(401)
})

test('deploys nothing in a locked workspace and gives the reason', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  await db.updateTable('workspaces').set({ locked_at: new Date() }).where('id', '=', workspace).execute()
  work()
  expect((await press(hook, { secret: hook.secret })).status).toBe(202)
  await vi.waitFor(
    async () => {
      const rows = await db
        .selectFrom('deliveries')
        .select('status')
        .where('application_id', '=', shop)
        .execute()
      expect(rows).toEqual([{ status: 'ignored' }])
    },
    { timeout: 60_000 },
  )
  await db.updateTable('workspaces').set({ locked_at: null }).where('id', '=', workspace).execute()
  expect(await deploymentsOf(shop)).toEqual([])
  expect(await handled(shop)).toMatchObject({
    outcomes: [{ summary: expect.stringMatching(/^The workspace is locked/) }],
  })
})
