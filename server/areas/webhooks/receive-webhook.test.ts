import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { receiveEvent } from '../../../contract/webhooks.ts'
import { makeIntegration, makeWorkspace } from '../../../test/support/factories/factories.ts'
import { sign } from '../../../test/support/fakes/github/webhooks.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'
import { openPayload } from './delivery.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const { github, slipway, db, deliveries, connectRepository } = stage
const secret = github.app.webhookSecret

const rowsOf = (delivery: string) =>
  db.selectFrom('deliveries').selectAll().where('delivery', '=', delivery).execute()

/** Posts like GitHub, from one address. */
const post = (raw: string | Buffer, headers: Record<string, string>, address?: string) =>
  slipway.call(receiveEvent.key, { params: { hook: 'github' }, raw, headers, address })

const signed = (body: string) => ({
  'x-hub-signature-256': sign(secret, body),
  'x-github-event': 'push',
  'x-github-delivery': 'd1',
})

test('stores a push once per workspace of the account, however often it is delivered', async () => {
  const { name, installation } = await connectRepository()
  const other = await makeWorkspace(db)
  await makeIntegration(db, other, installation)
  const { sha, sent } = await github.push(name, { message: 'Better\n\nMuch better.' })
  const [first] = sent
  if (!first) throw new Error('No notification was sent.')
  expect(first).toMatchObject({ status: 202, answer: '{"success":true}' })
  const again = await post(first.body, first.headers)
  expect(again.status).toBe(202)
  const rows = await rowsOf(first.delivery)
  expect(rows.map(({ workspace_id }) => workspace_id).toSorted()).toEqual([stage.workspace, other].toSorted())
  const [shown] = await deliveries()
  expect(shown).toMatchObject({
    hook: 'github',
    event: 'push',
    repository: name,
    ref: 'main',
    sha,
    message: 'Better',
    status: 'waiting',
    outcomes: [],
  })
  const { rows: jobs } = await sql`select from jobs where kind = 'handle-deliveries'`.execute(db)
  expect(jobs).toHaveLength(2)
})

test('rejects a replayed push with another delivery ID', async () => {
  const { name, makeShop } = await connectRepository()
  await makeShop()
  const { sent } = await github.push(name)
  const [first] = sent
  if (!first) throw new Error('No notification was sent.')
  const before = (await deliveries()).length
  for (const event of ['push', 'installation']) {
    const headers = { ...first.headers, 'x-github-delivery': `replayed as ${event}`, 'x-github-event': event }
    expect((await post(first.body, headers)).status).toBe(202)
    expect(await rowsOf(`replayed as ${event}`)).toEqual([])
  }
  expect(await deliveries()).toHaveLength(before)
  // The same commit pushed again after another one is a new push.
  const body = JSON.stringify({ ...JSON.parse(first.body), before: 'f'.repeat(40) })
  expect((await post(body, { ...signed(body), 'x-github-delivery': 'pushed again' })).status).toBe(202)
  expect(await rowsOf('pushed again')).toHaveLength(1)
})

test('stores a delivery for all of its workspaces or none, so that it can be resent', async () => {
  const { name, installation } = await connectRepository()
  const others = [await makeWorkspace(db), await makeWorkspace(db), await makeWorkspace(db)]
  for (const other of others) await makeIntegration(db, other, installation)
  const last = others.toSorted().at(-1) ?? ''
  await sql`
    create function refuse_last() returns trigger language plpgsql as $$
    begin
      if new.workspace_id = ${sql.lit(last)} then raise exception 'It died here.'; end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger refuse_last before insert on deliveries for each row execute function refuse_last()`.execute(
    db,
  )
  const { sent } = await github.push(name)
  const delivery = sent[0]?.delivery ?? ''
  expect(sent).toMatchObject([{ status: 500 }])
  expect(await rowsOf(delivery)).toEqual([])
  await sql`drop trigger refuse_last on deliveries`.execute(db)
  expect(await github.push(name, {}, { delivery })).toMatchObject({ sent: [{ status: 202 }] })
  expect(await rowsOf(delivery)).toHaveLength(4)
})

test('rejects unsigned webhooks and wrong secrets, and stores nothing', async () => {
  const { name } = await connectRepository()
  const before = (await deliveries()).length
  const { sent } = await github.push(name, {}, { secret: 'guessed' })
  expect(sent).toMatchObject([{ status: 401 }])
  const body = sent[0]?.body ?? ''
  for (const signature of [
    '',
    'sha256=',
    `sha256=${'0'.repeat(64)}`,
    sign(secret, `${body} `),
    sign(secret, body).slice(0, -1),
  ])
    await slipway.refused(
      receiveEvent,
      {
        params: { hook: 'github' },
        raw: body,
        headers: { ...signed(body), 'x-hub-signature-256': signature },
      },
      401,
      'wrong_secret',
    )
  expect((await deliveries()).length).toBe(before)
})

test('throttles wrong signatures but not valid ones from the same address', async () => {
  const address = '192.0.2.77'
  const guess = () => post('{}', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, address)
  const answers = []
  for (let calls = 0; calls < 31; calls++) answers.push(await guess())
  expect(answers.map(({ status }) => status).filter((status) => status !== 401)).toEqual([429])
  expect(answers.at(-1)?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
  expect((await post('{}', signed('{}'), address)).status).toBe(202)
})

test('acknowledges pings and unconnected accounts without storing them', async () => {
  const before = (await deliveries()).length
  expect(await github.ping()).toMatchObject({ status: 202 })
  const stranger = JSON.stringify({ installation: { id: 987_654_321 }, ref: 'refs/heads/main' })
  expect((await post(stranger, signed(stranger))).status).toBe(202)
  expect((await deliveries()).length).toBe(before)
})

test('accepts forms like JSON and rejects other content with a reason', async () => {
  const { name, installation } = await connectRepository()
  const payload = {
    installation: { id: installation.id },
    repository: { full_name: name },
    ref: 'refs/tags/v1+2 3',
  }
  const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const headers = {
    ...signed(form),
    'x-github-delivery': 'form',
    'content-type': 'application/x-www-form-urlencoded',
  }
  expect((await post(form, headers)).status).toBe(202)
  const [kept] = await rowsOf('form')
  expect(kept).toMatchObject({ repository: name, ref: 'v1+2 3' })
  expect(kept && openPayload(slipway.ctx, kept)).toBe(JSON.stringify(payload))
  for (const text of ['', 'null', '[]', '{"installation": {"id": "1"}}', 'not JSON'])
    expect(await post(text, signed(text))).toMatchObject({ status: 400, body: { code: 'unreadable' } })
  const nameless = JSON.stringify(payload)
  const { 'x-github-delivery': _, ...rest } = signed(nameless)
  expect((await post(nameless, rest)).status).toBe(401)
})

test('stores no signature and accepts 25 MB', async () => {
  const { installation } = await connectRepository()
  const filled = (bytes: number) =>
    JSON.stringify({ installation: { id: installation.id }, filling: 'x'.repeat(bytes) })
  const large = filled(25_000_000)
  expect((await post(large, { ...signed(large), 'x-github-delivery': 'large' })).status).toBe(202)
  const [row] = await rowsOf('large')
  expect(row && openPayload(slipway.ctx, row)).toHaveLength(large.length)
  expect(JSON.stringify(row?.headers)).not.toMatch(/signature|sha256/)
  const tooLarge = filled(26_300_000)
  expect((await post(tooLarge, signed(tooLarge))).status).toBe(413)
  expect(slipway.lines.join('\n')).not.toContain(secret)
})

/** Announces 25 MB, sends a part of them and then waits. */
function sending(bytes: number, headers: Record<string, string>) {
  const call = request(github.app.hookUrl ?? '', {
    method: 'POST',
    headers: { ...headers, 'content-length': String(25 * 1_048_576) },
  })
  onTestFinished(() => void call.destroy())
  const answer = once(call, 'response').then(([response]: IncomingMessage[]) => response)
  answer.catch(() => {})
  call.on('error', () => {})
  call.write(Buffer.alloc(bytes, 'x'))
  return { call, answer }
}

test('reads no body without a signature and limits the memory of all others', async () => {
  expect(await sending(1, { 'x-github-event': 'push' }).answer).toMatchObject({ statusCode: 401 })
  const { installation } = await connectRepository()
  const named = { 'x-github-event': 'push', 'x-github-delivery': 'guessed' }
  for (const signature of ['0', `sha1=${'0'.repeat(40)}`, `sha256=${'0'.repeat(63)}x`])
    expect(await sending(1, { ...named, 'x-hub-signature-256': signature }).answer).toMatchObject({
      statusCode: 401,
    })
  const guessed = { ...named, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  for (const lacking of ['x-github-event', 'x-github-delivery'])
    expect(await sending(1, { ...guessed, [lacking]: '' }).answer).toMatchObject({ statusCode: 401 })
  const calls = [1, 2, 3].map(() => sending(24 * 1_048_576, guessed))
  const first = await Promise.race(calls.map(({ answer }) => answer))
  expect(first?.statusCode).toBe(503)
  expect(Number(first?.headers['retry-after'])).toBeGreaterThan(0)
  const text = (bytes: number) =>
    JSON.stringify({ installation: { id: installation.id }, filling: 'x'.repeat(bytes) })
  const [small, large] = [text(60_000), text(25_000_000)]
  const push = (body: string, delivery: string) =>
    post(body, { ...signed(body), 'x-github-delivery': delivery })
  expect((await push(small, 'small')).status).toBe(202)
  expect((await push(large, 'one-more')).body).toMatchObject({ code: 'busy' })
  for (const { call } of calls) call.destroy()
  await vi.waitFor(async () => expect((await push(large, 'one-more')).status).toBe(202))
})
