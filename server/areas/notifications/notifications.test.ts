import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/notifications.ts'
import { makeChannel } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startSlack } from '../../../test/support/fakes/receivers/slack.ts'
import { startWebhook } from '../../../test/support/fakes/receivers/webhook.ts'
import { newId } from '../../platform/ids.ts'

const [slack, webhook] = [await startSlack(), await startWebhook()]
const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
/** This instance allows no private addresses. */
const strict = await startSlipway()
afterAll(async () => {
  await Promise.all([slipway.close(), strict.close()])
  await Promise.all([slack.close(), webhook.close()])
})
const { ok, refused, db } = slipway
const secrets = ['tokenOfSlack', webhook.settings.secret]

async function add(token: string, more: object = {}) {
  const body = { name: 'Ops', type: 'slack', settings: slack.settings, ...more }
  return (await ok(contract.createNotification, { token, body })).notification
}

const eventsOf = (workspace: Id<'workspace'>) =>
  db
    .selectFrom('events')
    .select(['type', 'target_name', 'detail'])
    .where('workspace_id', '=', workspace)
    .orderBy('id')
    .execute()

test('lists types with their fields, instructions and reasons for being unavailable', async () => {
  const { viewer, admin } = await makeTeam(db)
  const { types, events } = await ok(contract.listNotificationTypes, { token: viewer.token })
  expect(types.map(({ type }) => type)).toEqual([
    'email',
    'slack',
    'discord',
    'telegram',
    'teams',
    'ntfy',
    'pushover',
    'webhook',
  ])
  for (const { description, help, fields } of types) {
    for (const sentence of [description, help, ...fields.map((field) => field.help)])
      expect(sentence).toMatch(/^\S.*\.$/)
    expect(fields.length).toBeGreaterThan(0)
  }
  const reason = 'Email is not configured on this instance. Ask an instance owner to set it up.'
  expect(types[0]).toMatchObject({ available: false, unavailable_reason: reason })
  expect(types[1]).toMatchObject({ available: true, unavailable_reason: null })
  // Billing is off in this instance.
  const ofPlans = Object.keys(contract.notices.billing.events)
  expect(events.flatMap((group) => group.events.map(({ event }) => event))).toEqual(
    contract.noticeNames.filter((name) => !ofPlans.includes(name)),
  )
  const body = { name: 'Ops', type: 'email', settings: { to: 'ada@example.com' } }
  const { body: no } = await refused(contract.createNotification, { token: admin.token, body }, 422)
  expect(no).toEqual({ errors: { type: [reason] } })
})

test('adds, changes and deletes a channel and keeps omitted settings and secrets', async () => {
  const { workspace, admin, viewer } = await makeTeam(db)
  const { id, ...made } = await add(admin.token, { events: ['alert', 'server_added', 'alert'] })
  expect(made).toMatchObject({
    name: 'Ops',
    type: 'slack',
    enabled: true,
    state: 'ok',
    reason: null,
    queued: 0,
    events: ['alert', 'server_added'],
    settings: { url: null },
  })
  const change = async (body: object) =>
    (await ok(contract.updateNotification, { token: admin.token, params: { id }, body })).notification
  expect(await change({ name: 'Crew', events: [] })).toMatchObject({
    name: 'Crew',
    events: [],
    enabled: true,
  })
  // A reply can be sent back unchanged.
  await change({ settings: { url: null } })
  const test = () => ok(contract.testNotification, { token: admin.token, params: { id } })
  expect(await test()).toEqual({ success: true, response: 'HTTP 200: ok' })
  expect(slack.messages.at(-1)?.shown).toContain('Test message for Crew')
  await change({ settings: { url: `${slack.url}/services/elsewhere` } })
  expect(await test()).toEqual({ success: false, response: 'HTTP 404: no_service' })
  expect(await change({ enabled: false })).toMatchObject({ state: 'off' })
  const { notifications } = await ok(contract.listNotifications, { token: viewer.token })
  expect(notifications).toMatchObject([{ id, name: 'Crew', state: 'off' }])
  await ok(contract.deleteNotification, { token: admin.token, params: { id } })
  await refused(contract.getNotification, { token: admin.token, params: { id } }, 404)
  expect((await eventsOf(workspace)).map(({ type, target_name }) => `${type} ${target_name}`)).toEqual([
    'notification.created Ops',
    'notification.updated Crew',
    'notification.updated Crew',
    'notification.updated Crew',
    'notification.updated Crew',
    'notification.deleted Crew',
  ])
})

test('keeps secrets out of replies, rows, logs and history', async () => {
  const { admin } = await makeTeam(db)
  const token = admin.token
  const hook = await add(token, { type: 'webhook', settings: webhook.settings })
  const room = await add(token)
  slack.fail({ status: 500, body: `No to ${slack.settings.url} and tokenOfSlack` }, 1)
  webhook.fail({ status: 400, body: { message: `Bad secret ${webhook.settings.secret}` } }, 1)
  const heard: string[] = []
  for (const { id } of [hook, room]) {
    const params = { id }
    for (const key of [
      contract.testNotification.key,
      contract.getNotification.key,
      contract.listMessages.key,
    ])
      heard.push((await slipway.call(key, { token, params })).text)
    const bad = { settings: { url: 'gopher://tokenOfSlack', secret: webhook.settings.secret, other: '1' } }
    heard.push((await slipway.call(contract.updateNotification.key, { token, params, body: bad })).text)
  }
  heard.push(JSON.stringify(await db.selectFrom('notifications').selectAll().execute()))
  heard.push(JSON.stringify(await db.selectFrom('messages').selectAll().execute()))
  heard.push(...slipway.lines)
  for (const secret of secrets) expect(heard.filter((one) => one.includes(secret))).toEqual([])
  expect(heard.join('\n')).toContain('HTTP 500: No to … and')
})

test.each([
  ['webhook', {}, { url: 'Is required.', secret: 'Is required.' }],
  [
    'webhook',
    { url: 'nonsense', secret: 'short' },
    { url: /^Must be a complete URL/, secret: /at least 16/ },
  ],
  ['ntfy', { server: 'nonsense', topic: 'a b' }, { server: /^Must be a complete URL/, topic: /1 to 64/ }],
  ['webhook', { url: 'ftp://example.com/x', secret: 'x'.repeat(16) }, { url: 'Must begin with https://.' }],
  ['webhook', { url: 'https://u:p@example.com', secret: 'x'.repeat(16) }, { url: /username or password/ }],
  [
    'webhook',
    { url: 'https://example.com', secret: 'short' },
    { secret: 'Must have at least 16 characters.' },
  ],
  ['webhook', { url: 'https://example.com', secret: 'whsec_!!!!!!!!!!!!!!!!' }, { secret: /base64/ }],
  ['webhook', { url: 'https://example.com', secret: 'whsec_QUJDQUJDQUJD' }, { secret: /base64/ }],
  ['slack', { url: 'https://hooks.slack.com/workflows/x' }, { url: /incoming webhook/ }],
  ['slack', { url: 'https://example.com/a\nb' }, { url: 'Must be one line.' }],
  ['slack', { url: 'https://example.com', token: 'x' }, { token: 'Slack does not have this setting.' }],
  ['slack', { url: 'https://example.com', __proto_: 'x' }, { __proto_: 'Slack does not have this setting.' }],
  ['discord', { url: 'https://discord.com/channels/1/2' }, { url: /URL of a webhook/ }],
  ['teams', { url: 'https://acme.webhook.office.com/webhookb2/x' }, { url: /retired/ }],
  [
    'telegram',
    { token: 'x', chat: 'y', topic: 'z' },
    { token: /bot token/, chat: /number/, topic: /number/ },
  ],
  ['ntfy', { topic: 'a b' }, { topic: /1 to 64/ }],
  ['ntfy', { topic: 'ab', token: 'a\u00e4' }, { token: /tk_/ }],
  ['pushover', { token: 'x', user: 'y', critical: 'high' }, { token: /30/, user: /30/ }],
  [
    'pushover',
    { token: 'x'.repeat(30), user: 'y'.repeat(30), critical: 'loud' },
    { critical: /one of: high/ },
  ],
])('refuses settings of %s: %j by field', async (type, settings, expected) => {
  const { admin } = await makeTeam(db)
  const body = { name: 'Ops', type, settings }
  const { body: got } = await refused(contract.createNotification, { token: admin.token, body }, 422)
  const errors = Object.entries(expected).map(([name, words]) => [
    `settings.${name}`,
    [expect.stringMatching(words)],
  ])
  expect(got).toEqual({ errors: Object.fromEntries(errors) })
})

test('refuses unknown types, events and addresses', async () => {
  const { admin } = await makeTeam(db)
  const wrong = async (body: object) =>
    (await refused(contract.createNotification, { token: admin.token, body }, 422)).body
  expect(await wrong({ name: 'Ops', type: 'pager' })).toMatchObject({
    errors: { type: [expect.stringMatching(/^Must be one of: email, slack/)] },
  })
  expect(await wrong({ name: 'Ops', type: 'slack', events: ['rain'] })).toHaveProperty(['errors', 'events.0'])
  expect(await wrong({ name: 'Ops', type: 'slack', settings: { url: 1 } })).toHaveProperty([
    'errors',
    'settings.url',
  ])
})

test('refuses a private address on save or at the latest on sending', async () => {
  const { workspace, admin } = await makeTeam(strict.db)
  const token = admin.token
  const secret = 'x'.repeat(16)
  for (const url of [
    'https://10.0.0.5/hook',
    'https://127.0.0.1:8443/',
    'https://localhost/x',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
  ]) {
    const body = { name: 'Ops', type: 'webhook', settings: { url, secret } }
    const { body: got } = await strict.refused(contract.createNotification, { token, body }, 422)
    expect(got).toMatchObject({ errors: { 'settings.url': [expect.stringMatching(/OUTBOUND_NETWORKS/)] } })
  }
  const ofNtfy = { name: 'Ops', type: 'ntfy', settings: { server: 'http://ntfy.example', topic: 'a' } }
  const { body: got } = await strict.refused(contract.createNotification, { token, body: ofNtfy }, 422)
  expect(got).toMatchObject({ errors: { 'settings.server': [expect.stringMatching(/begin with https/)] } })
  const id = await makeChannel(strict.ctx, workspace, webhook.settings.url.replace('127.0.0.1', 'localhost'))
  const before = webhook.asked.length
  const { success, response } = await strict.ok(contract.testNotification, { token, params: { id } })
  expect([success, response]).toEqual([
    false,
    expect.stringMatching(/^Slipway does not call localhost.*OUTBOUND_NETWORKS/),
  ])
  expect(webhook.asked.length).toBe(before)
})

test('asks for secrets again when the server changes', async () => {
  const { admin } = await makeTeam(db)
  const secret = { topic: 'harbour-8f3kq2', token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' }
  const settings = { server: 'https://ntfy.example.com/a', ...secret }
  const { id } = await add(admin.token, { type: 'ntfy', settings })
  const change = (given: object) => ({ token: admin.token, params: { id }, body: { settings: given } })
  // Another path of the same server keeps the secrets.
  await ok(contract.updateNotification, change({ server: 'https://ntfy.example.com/b' }))
  const elsewhere = { server: 'https://eve.example.com' }
  for (const given of [elsewhere, { ...elsewhere, topic: null, token: null }]) {
    const { body } = await refused(contract.updateNotification, change(given), 422)
    const resend = [expect.stringMatching(/^Enter this secret again/)]
    expect(body).toEqual({ errors: { 'settings.topic': resend, 'settings.token': resend } })
  }
  await refused(contract.updateNotification, change({ ...elsewhere, topic: 'other' }), 422)
  await ok(contract.updateNotification, change({ ...elsewhere, topic: 'other', token: '' }))
  await ok(contract.updateNotification, change({ server: 'https://ntfy.example.com', ...secret }))
})

test('stores any response of a receiver', async () => {
  const { admin } = await makeTeam(db)
  const { id } = await add(admin.token, { type: 'webhook', settings: webhook.settings })
  webhook.fail({ status: 200, body: { message: 'Half \ud83d of a \u0000sign' } }, 1)
  const sent = { token: admin.token, params: { id } }
  expect(await ok(contract.testNotification, sent)).toEqual({
    success: true,
    response: 'HTTP 200: Half \ufffd of a sign',
  })
  expect((await ok(contract.listMessages, sent)).history).toMatchObject([{ status: 'sent' }])
})

test('limits tests to ten a minute', async () => {
  const { admin } = await makeTeam(db)
  const { id } = await add(admin.token)
  const sent = { token: admin.token, params: { id }, address: '10.9.8.7' }
  for (let nth = 0; nth < 10; nth++) await ok(contract.testNotification, sent)
  await refused(contract.testNotification, sent, 429, 'too_many')
})

test('lets members read but not change channels, and isolates workspaces', async () => {
  const [ours, theirs] = [await makeTeam(db), await makeTeam(db)]
  const { id } = await add(ours.admin.token)
  await ok(contract.testNotification, { token: ours.admin.token, params: { id } })
  const { history } = await ok(contract.listMessages, { token: ours.viewer.token, params: { id } })
  const params = { id, mid: history[0]?.id ?? '' }
  const manage = [
    contract.updateNotification,
    contract.deleteNotification,
    contract.testNotification,
    contract.resumeNotification,
    contract.resendMessage,
  ]
  const sent = (endpoint: (typeof manage)[number], token: string) => ({
    token,
    params,
    ...(endpoint === contract.updateNotification && { body: { name: 'x' } }),
  })
  for (const endpoint of manage) {
    for (const { token } of [ours.viewer, ours.member]) await refused(endpoint, sent(endpoint, token), 403)
    await refused(endpoint, sent(endpoint, theirs.owner.token), 404)
  }
  for (const endpoint of [contract.getNotification, contract.listMessages])
    await refused(endpoint, { token: theirs.owner.token, params: { id } }, 404)
  const { notifications } = await ok(contract.listNotifications, { token: theirs.owner.token })
  expect(notifications).toEqual([])
  const elsewhere = { id: (await add(theirs.admin.token)).id, mid: params.mid }
  await refused(contract.resendMessage, { token: theirs.admin.token, params: elsewhere }, 404)
})

test('resumes a paused channel by hand or by a successful test', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { id } = await add(admin.token)
  const sent = { token: admin.token, params: { id } }
  const pause = () =>
    db
      .updateTable('notifications')
      .set({ paused_at: new Date(), failing_since: new Date(), reason: 'HTTP 404', failures: 9 })
      .where('id', '=', id)
      .execute()
  await pause()
  const { notification: paused } = await ok(contract.getNotification, sent)
  expect(paused).toMatchObject({ state: 'paused', reason: 'HTTP 404' })
  const well = { state: 'ok', reason: null, failing_since: null, next_attempt_at: null }
  expect((await ok(contract.resumeNotification, sent)).notification).toMatchObject(well)
  // The channel was not paused, so there is no event.
  await ok(contract.resumeNotification, sent)
  await pause()
  slack.fail({ status: 500 }, 1)
  expect(await ok(contract.testNotification, sent)).toMatchObject({ success: false })
  expect((await ok(contract.getNotification, sent)).notification).toMatchObject({ state: 'paused' })
  expect(await ok(contract.testNotification, sent)).toMatchObject({ success: true })
  expect((await ok(contract.getNotification, sent)).notification).toMatchObject(well)
  await pause()
  const body = { settings: slack.settings }
  expect((await ok(contract.updateNotification, { ...sent, body })).notification).toMatchObject(well)
  expect((await eventsOf(workspace)).map(({ type }) => type)).toEqual([
    'notification.created',
    'notification.resumed',
    'notification.resumed',
    'notification.updated',
  ])
})

test('lists responses in the history and resends a failed message', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { id } = await add(admin.token, { type: 'webhook', settings: webhook.settings })
  const sent = { token: admin.token, params: { id } }
  webhook.fail({ status: 503, body: 'On holiday' }, 1)
  await ok(contract.testNotification, sent)
  await ok(contract.testNotification, sent)
  const { history, page } = await ok(contract.listMessages, { ...sent, query: { limit: '1' } })
  expect(history).toMatchObject([{ kind: 'test', status: 'sent', attempts: 1, responses: [{ ok: true }] }])
  expect(page.total).toBe(2)
  const [failed] = (await ok(contract.listMessages, { ...sent, query: { status: 'failed' } })).history
  expect(failed).toMatchObject({
    responses: [{ ok: false, response: 'HTTP 503: On holiday' }],
    sent_at: null,
  })
  const again = (mid: string) => ({ ...sent, params: { id, mid } })
  await refused(contract.resendMessage, again(failed?.id ?? ''), 409, 'message_is_test')
  await refused(contract.resendMessage, again(newId('message')), 404)
  const old = await db
    .updateTable('messages')
    .set({ kind: 'happened', key: 'event:1', waiting_since: new Date(0) })
    .where('workspace_id', '=', workspace)
    .where('status', '=', 'failed')
    .returning('id')
    .executeTakeFirstOrThrow()
  const { message } = await ok(contract.resendMessage, again(old.id))
  expect(message).toMatchObject({ id: old.id, status: 'waiting', attempts: 1 })
  expect((await ok(contract.getNotification, sent)).notification.queued).toBe(1)
  slipway.work()
  await vi.waitFor(
    async () => {
      const [newest, oldest] = (await ok(contract.listMessages, sent)).history
      expect([newest?.status, oldest?.status]).toEqual(['sent', 'sent'])
      expect(oldest).toMatchObject({ attempts: 2, responses: [{ ok: false }, { ok: true }] })
    },
    { timeout: 120_000 },
  )
  expect(webhook.messages.map((one) => one.id)).toContain(old.id)
  await refused(contract.resendMessage, again(old.id), 409, 'message_not_failed')
})
