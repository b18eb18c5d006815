import { createHmac } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import {
  getDelivery,
  getHook,
  receiveEvent,
  receiveEventBySecret,
  rotateHook,
} from '../../../contract/webhooks.ts'
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
  expect(await deliveries(shop)).toEqual([])
  expect((await hookOf(shop)).used_at).toBeNull()
})

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')
const body = JSON.stringify({ ref: 'refs/heads/main', text: 'é' })

/** Headers that the services send, according to their documentation. */
const senders: [string, (secret: string) => Record<string, string>][] = [
  ['GitLab', (secret) => ({ 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook' })],
  ['a bearer token', (secret) => ({ authorization: `Bearer ${secret}` })],
  ['Gitea', (secret) => ({ 'x-gitea-signature': sign(secret, body), 'x-gitea-event': 'push' })],
  ['Forgejo', (secret) => ({ 'x-forgejo-signature': sign(secret, body) })],
  ['Gogs', (secret) => ({ 'x-gogs-signature': sign(secret, body) })],
  [
    'GitHub',
    (secret) => ({ 'x-hub-signature-256': `sha256=${sign(secret, body)}`, 'x-hub-signature': 'sha1=0' }),
  ],
  [
    'Bitbucket',
    (secret) => ({ 'x-hub-signature': `sha256=${sign(secret, body)}`, 'x-event-key': 'repo:push' }),
  ],
]

test.each(senders)('accepts the call of %s', async (_, headersFor) => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  expect((await press(hook, headersFor(`${hook.secret}x`), body)).status).toBe(401)
  expect(await deliveries(shop)).toEqual([])
  expect((await press(hook, headersFor(hook.secret), body)).status).toBe(202)
  const [delivery] = await deliveries(shop)
  const shown = await slipway.ok(getDelivery, { token, params: { id: delivery?.id ?? '' } })
  expect(shown.delivery).toMatchObject({ payload: body, payload_truncated: false })
  expect(JSON.stringify(shown.delivery.headers)).not.toContain(hook.secret)
})

test.each<[string, (secret: string) => Record<string, string>]>([
  ['of another body', (secret) => ({ 'x-gitea-signature': sign(secret, `${body} `) })],
  ['that is empty', () => ({ 'x-gitea-signature': '', 'x-hub-signature-256': 'sha256=' })],
  ['that is too short', (secret) => ({ 'x-gogs-signature': sign(secret, body).slice(0, 62) })],
  ['with the algorithm sha1', (secret) => ({ 'x-hub-signature': `sha1=${sign(secret, body)}` })],
  ['in a header of another kind', (secret) => ({ 'x-gitlab-token': sign(secret, body) })],
  ['that is no bearer token', (secret) => ({ authorization: `Basic ${secret}` })],
])('refuses a credential %s', async (_, headersFor) => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  expect(await press(hook, headersFor(hook.secret), body)).toMatchObject({
    status: 401,
    body: { code: 'wrong_secret' },
  })
  expect(await deliveries(shop)).toEqual([])
})

test('accepts a derived value in the path, as Docker Hub needs it, but not the secret, and logs neither', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  const call = (secret: string) =>
    slipway.call(receiveEventBySecret.key, { params: { hook: nameOf(hook), secret }, raw: body })
  const derived = nameOf({ url: hook.url_with_secret })
  expect(hook.url_with_secret).toBe(`${hook.url}/${derived}`)
  expect((await call(derived)).status).toBe(202)
  for (const wrong of [hook.secret, `${derived}x`])
    expect(await call(wrong)).toMatchObject({ status: 401, body: { code: 'wrong_secret' } })
  // A leaked URL neither forges a signature nor works as a header.
  for (const headers of [{ secret: derived }, { 'x-gitea-signature': sign(derived, body) }])
    expect((await press(hook, headers, body)).status).toBe(401)
  expect(await deliveries(shop)).toHaveLength(1)
  const stored = JSON.stringify(await db.selectFrom('deliveries').selectAll().execute())
  for (const text of [stored, slipway.lines.join('\n')])
    for (const credential of [hook.secret, derived]) expect(text).not.toContain(credential)
})

test('accepts 60 calls a minute of each hook', async () => {
  const [shop, other] = [
    await makeApplication(db, workspace, server),
    await makeApplication(db, workspace, server),
  ]
  const [hook, ofOther] = [await hookOf(shop), await hookOf(other)]
  slipway.ctx.acceptedHookCalls.set(nameOf(hook), { calls: 59 })
  expect((await press(hook, { secret: hook.secret })).status).toBe(202)
  const refused = await press(hook, { secret: hook.secret })
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await press(ofOther, { secret: ofOther.secret })).status).toBe(202)
  expect(await deliveries(shop)).toHaveLength(1)
})

test('keeps the first 64 kB of a larger body, whose signature covers all of it', async () => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  const large = `x${'é'.repeat(300_000)}`
  expect((await press(hook, { 'x-gitea-signature': sign(hook.secret, large) }, large)).status).toBe(202)
  const cut = large.slice(0, 40_000)
  expect((await press(hook, { 'x-gitea-signature': sign(hook.secret, cut) }, large)).status).toBe(401)
  expect((await press(hook, { secret: hook.secret }, 'x'.repeat(65_537))).status).toBe(202)
  expect((await press(hook, { secret: hook.secret }, 'x'.repeat(65_536))).status).toBe(202)
  const all = await deliveries(shop)
  const shown = await Promise.all(
    all.map(async ({ id }) => (await slipway.ok(getDelivery, { token, params: { id } })).delivery),
  )
  expect(shown.map(({ payload, payload_truncated }) => [payload?.length, payload_truncated])).toEqual([
    [65_536, false],
    [65_536, true],
    // The limit cuts the last character, so its remaining bytes are dropped.
    [32_768, true],
  ])
  expect((await press(hook, { secret: hook.secret }, 'x'.repeat(26_214_401))).status).toBe(413)
})

test.each([
  ['GitHub', { 'x-github-event': 'ping' }],
  ['Bitbucket', { 'x-event-key': 'diagnostics:ping' }],
])('does not deploy on a ping of %s', async (_, event) => {
  const shop = await makeApplication(db, workspace, server)
  const hook = await hookOf(shop)
  work()
  const headers = { 'x-hub-signature': `sha256=${sign(hook.secret, body)}`, ...event }
  expect((await press(hook, headers, body)).status).toBe(202)
  expect(await handled(shop)).toMatchObject({
    status: 'ignored',
    outcomes: [{ summary: 'The webhook works. A ping does not deploy anything.' }],
  })
  expect(await deploymentsOf(shop)).toEqual([])
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
    { timeout: 120_000 },
  )
  await db.updateTable('workspaces').set({ locked_at: null }).where('id', '=', workspace).execute()
  expect(await deploymentsOf(shop)).toEqual([])
  expect(await handled(shop)).toMatchObject({
    outcomes: [{ summary: expect.stringMatching(/^The workspace is locked/) }],
  })
})
