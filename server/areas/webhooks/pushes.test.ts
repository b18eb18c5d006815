import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { listIntegrations } from '../../../contract/integrations.ts'
import { receiveEvent, redeliver } from '../../../contract/webhooks.ts'
import { makeDeployment } from '../../../test/support/factories/application-factories.ts'
import { sign } from '../../../test/support/fakes/github/webhooks.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const { github, slipway, db, workspace, server, token, work, deliveries, handled, deploymentsOf } = stage
const { connectRepository } = stage

const resultOf = async (shop: Parameters<typeof handled>[0]) => {
  const { status, outcomes } = await handled(shop)
  return { status, summary: outcomes.find(({ application }) => application?.id === shop)?.summary }
}

test('deploys the commit of a push to the branch and names the pusher as initiator', async () => {
  const { name, login, makeShop } = await connectRepository()
  const shop = await makeShop()
  work()
  const { sha } = await github.push(name, { message: 'Better\n\nMuch.', by: login })
  const delivery = await handled(shop)
  const [made] = await deploymentsOf(shop)
  expect(delivery).toMatchObject({
    status: 'deployed',
    outcomes: [
      {
        summary: `Deployment of ${sha.slice(0, 7)} requested.`,
        deployment_id: made?.id,
        deployment_status: 'queued',
        status: 'deployed',
      },
    ],
  })
  expect(made).toMatchObject({
    type: 'build_application',
    status: 'queued',
    actor_id: null,
    actor_name: `${login} (push)`,
    message: `Build ${name} at ${sha.slice(0, 7)}: Better`,
    commit: { sha, message: 'Better', branch: 'main' },
  })
  const event = await db.selectFrom('events').selectAll().where('target_id', '=', shop).executeTakeFirst()
  expect(event).toMatchObject({ type: 'deployment.queued', actor_name: `${login} (push)`, via: 'webhook' })
})

test.each([
  { age: 60_000, summary: /^Skipped: [0-9a-f]{7} was pushed later and is already deployed\./ },
  { age: 26 * 86_400_000, summary: /^Skipped: the push of [0-9-]{10} is too old\./ },
])('does not replace a newer deployment with a delayed push: $age', async ({ age, summary }) => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop()
  work()
  const { sent } = await github.push(name, {}, { secret: 'not sent to us' })
  const held = JSON.parse(sent[0]?.body ?? '')
  const pushed_at = Math.floor((Date.now() - age) / 1_000)
  const body = JSON.stringify({ ...held, repository: { ...held.repository, pushed_at } })
  const { sha } = await github.push(name)
  expect(await resultOf(shop)).toMatchObject({ status: 'deployed' })
  const headers = {
    'x-hub-signature-256': sign(github.app.webhookSecret, body),
    'x-github-event': 'push',
    'x-github-delivery': `held back for ${age}`,
  }
  const late = await slipway.call(receiveEvent.key, { params: { hook: 'github' }, raw: body, headers })
  expect(late.status).toBe(202)
  expect(await resultOf(shop)).toMatchObject({ status: 'ignored', summary: expect.stringMatching(summary) })
  expect((await deploymentsOf(shop)).map(({ commit }) => commit?.sha)).toEqual([sha])
})

test('gives a reason for each ignored push', async () => {
  const { name, makeShop } = await connectRepository()
  const [shop, ofTags, never] = [
    await makeShop(),
    await makeShop({ deploy_on: 'tag', tags: 'v*' }),
    await makeShop({ deploy_on: 'nothing' }),
  ]
  work()
  const expectAll = async (summary: [RegExp, RegExp]) => {
    expect(await resultOf(shop)).toMatchObject({ summary: expect.stringMatching(summary[0]) })
    expect(await resultOf(ofTags)).toMatchObject({ summary: expect.stringMatching(summary[1]) })
    expect(await resultOf(never)).toMatchObject({
      summary: expect.stringMatching(/^Push to deploy is off for/),
    })
  }
  await github.push(name, { branch: "feat/$(id)&;'`x" })
  await expectAll([
    /Pushed to the branch feat\/\$\(id\)&;'`x, but .* deploys the branch main/,
    /deploys tags only/,
  ])
  await github.deleteBranch(name, "feat/$(id)&;'`x")
  await expectAll([/was deleted\. Nothing was deployed/, /was deleted\. Nothing was deployed/])
  await github.pushTag(name, 'nightly')
  await expectAll([/^Pushed the tag nightly, but /, /The tag nightly does not match v\*/])
  await github.push(name, { message: 'Wording [Skip Deploy]' })
  await expectAll([/contains \[skip deploy\]/, /deploys tags only/])
  expect(await deploymentsOf(shop)).toEqual([])
  const { sha } = await github.pushTag(name, 'v1.2', await github.commit(name, { branch: 'next' }))
  await expectAll([/^Pushed the tag v1.2/, new RegExp(`Deployment of ${sha.slice(0, 7)} requested`)])
  expect(await deploymentsOf(ofTags)).toMatchObject([{ commit: { sha, branch: 'v1.2' } }])
})

test('deploys only pushes that touch watched paths, or when that is unknown', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop({ watch_paths: ['api/**', '!api/docs'] })
  work()
  const pushed = async (files: Record<string, string>, change: object = {}) => {
    await github.push(name, { files, ...change })
    return (await handled(shop)).status
  }
  expect(await pushed({ 'web/a.ts': '1', 'api/docs/b.md': '1' })).toBe('ignored')
  expect(await pushed({ 'web/a.ts': '2', 'api/c.go': '1' })).toBe('deployed')
  // A forced push is compared at GitHub with the previous head of the branch.
  const [base] = await deploymentsOf(shop)
  expect(await pushed({ 'web/a.ts': '3' }, { from: base?.commit?.sha })).toBe('ignored')
  const from = await github.commit(name, {
    branch: 'side',
    from: base?.commit?.sha ?? null,
    files: { 'api/d.go': '1' },
  })
  expect(await pushed({ 'web/a.ts': '4' }, { from })).toBe('deployed')
  github.fail('/repositories/*', 'nonsense')
  expect(await pushed({ 'web/a.ts': '5' }, { from })).toBe('deployed')
  github.fail('/repositories/*', undefined)
})

test('combines thirty pushes in a second into a few deployments, ending with the newest', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop()
  const first = await github.push(name)
  const body = first.sent[0]?.body ?? ''
  const shas = Array.from({ length: 30 }, () => randomBytes(20).toString('hex'))
  work()
  const began = performance.now()
  for (const sha of shas) {
    const sent = await github.send('push', {}, { body: body.replaceAll(first.sha, sha) })
    expect(sent?.status).toBe(202)
  }
  // Deliveries are collected for a second, and a busy machine needs several to send them.
  const most = 5 + (performance.now() - began) / 1_000
  await handled(shop)
  const made = await deploymentsOf(shop)
  expect(made.length).toBeLessThanOrEqual(most)
  expect(made.at(-1)).toMatchObject({ status: 'queued', commit: { sha: shas.at(-1) } })
  expect(made.filter(({ status }) => status === 'queued')).toHaveLength(1)
  const all = await deliveries(shop)
  expect(all).toHaveLength(31)
  expect(all.filter(({ outcomes }) => outcomes[0]?.summary.startsWith('Skipped: the push of '))).toHaveLength(
    31 - made.length,
  )
})

test('queues a push behind a running deployment and replaces the queued one', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop()
  work()
  await github.push(name)
  await handled(shop)
  await db.updateTable('deployments').set({ status: 'running' }).where('application_id', '=', shop).execute()
  await github.push(name)
  await handled(shop)
  const { sha } = await github.push(name)
  await handled(shop)
  expect(await deploymentsOf(shop)).toMatchObject([
    { status: 'running' },
    { status: 'cancelled', message: expect.stringContaining('replaced by: ') },
    { status: 'queued', commit: { sha } },
  ])
})

test('keeps a manual deployment, queues a push after it, and ignores it while stopped', async () => {
  const { name, makeShop } = await connectRepository()
  const [shop, stopped, stopping] = [await makeShop(), await makeShop(), await makeShop()]
  const asked = { actor_id: 'usr_ada', status: 'queued' } as const
  await makeDeployment(db, workspace, { id: shop, server }, { ...asked, type: 'rollback_application' })
  await makeDeployment(db, workspace, { id: stopping, server }, { ...asked, type: 'stop_application' })
  await db.updateTable('applications').set({ wanted: 'stopped' }).where('id', '=', stopped).execute()
  work()
  await github.push(name)
  await handled(shop)
  const { sha } = await github.push(name)
  await handled(shop)
  expect(await deploymentsOf(shop)).toMatchObject([
    { status: 'queued', type: 'rollback_application' },
    { status: 'cancelled', type: 'build_application' },
    { status: 'queued', type: 'build_application', commit: { sha } },
  ])
  const summary = expect.stringMatching(/is stopped, so it was not deployed/)
  for (const one of [stopped, stopping]) expect(await resultOf(one)).toMatchObject({ summary })
  expect(await deploymentsOf(stopped)).toEqual([])
  expect(await deploymentsOf(stopping)).toMatchObject([{ type: 'stop_application', status: 'queued' }])
  await makeDeployment(db, workspace, { id: stopped, server }, { ...asked, type: 'start_application' })
  await github.push(name)
  await handled(stopped)
  expect(await deploymentsOf(stopped)).toMatchObject([{}, { status: 'queued', type: 'build_application' }])
})

test('deploys the newest commit among tags pushed together, in any order', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop({ deploy_on: 'tag', tags: 'v*' })
  const { sent, sha } = await github.pushTag(name, 'v2')
  const body = sent[0]?.body ?? ''
  const older = JSON.parse(body) as { head_commit: { timestamp: string } }
  older.head_commit.timestamp = '2020-01-01T00:00:00Z'
  await github.send('push', {}, { body: JSON.stringify(older).replaceAll('/v2', '/v1') })
  work()
  expect(await resultOf(shop)).toMatchObject({ summary: expect.stringMatching(/^Skipped: the tag v2/) })
  expect(await deploymentsOf(shop)).toMatchObject([{ commit: { sha, branch: 'v2' } }])
  // The older tag is skipped even after the newer deployment has started, unless a user requests it.
  await github.send('push', {}, { body: JSON.stringify(older).replaceAll('/v2', '/v0') })
  expect(await resultOf(shop)).toMatchObject({
    summary: expect.stringMatching(/^Skipped: the tag v2 arrived just before/),
  })
  const [last] = await deliveries(shop)
  await slipway.ok(redeliver, { token, params: { id: last?.id ?? 'dlv_none' } })
  expect(await resultOf(shop)).toMatchObject({ status: 'deployed' })
})

test('ignores a late or repeated event for names and statuses', async () => {
  const { name, installation, integration, makeShop } = await connectRepository()
  const shop = await makeShop()
  const late = await github.push(name, {}, { to: `${github.url}/nowhere` })
  const suspended = await github.suspend(installation)
  await github.suspend(installation, false)
  const now = name.replace('hello', 'renamed')
  await github.renameRepository(name, 'renamed')
  const old = JSON.stringify({ action: 'renamed', ...ofOld(late.sent[0]?.body ?? '{}') })
  work()
  await github.send('push', {}, { body: late.sent[0]?.body ?? '' })
  await github.send('repository', {}, { body: old })
  await github.send('installation', {}, { body: suspended?.body ?? '' })
  expect(await handled(shop)).toMatchObject({ status: 'deployed' })
  const [first] = (await deliveries()).filter(({ event }) => event === 'installation')
  await slipway.ok(redeliver, { token, params: { id: first?.id ?? 'dlv_none' } })
  await handled(shop)
  const source = db.selectFrom('sources').selectAll().where('application_id', '=', shop)
  expect(await source.executeTakeFirst()).toMatchObject({ repository: now })
  const { integrations } = await slipway.ok(listIntegrations, { token })
  expect(integrations.find(({ id }) => id === integration)).toMatchObject({ status: 'active' })
})

/** Returns the repository and installation of an event. */
function ofOld(body: string) {
  const { repository, installation, sender } = JSON.parse(body) as Record<string, unknown>
  return { repository, installation, sender }
}

test('follows suspension, restoration, removal and renaming of the GitHub account', async () => {
  const { name, installation, integration, makeShop } = await connectRepository()
  const shop = await makeShop()
  work()
  const statusOf = async () => {
    const { integrations } = await slipway.ok(listIntegrations, { token })
    return integrations.find(({ id }) => id === integration)?.status
  }
  const until = async (status: string) => {
    await expect.poll(statusOf).toBe(status)
  }
  await github.suspend(installation)
  await until('suspended')
  await github.suspend(installation, false)
  await until('active')
  await github.renameRepository(name, 'renamed')
  await expect
    .poll(
      async () =>
        (await db.selectFrom('sources').selectAll().where('application_id', '=', shop).executeTakeFirst())
          ?.repository,
      { timeout: 120_000 },
    )
    .toBe(name.replace('hello', 'renamed'))
  await github.push(name.replace('hello', 'renamed'))
  expect(await handled(shop)).toMatchObject({ status: 'deployed' })
  await github.uninstall(installation)
  await until('removed')
  const summary = (await deliveries()).map(({ outcomes }) => outcomes[0]?.summary)
  expect(summary).toContain('Slipway has access to the account again.')
  const events = await db
    .selectFrom('events')
    .select('detail')
    .where('target_id', '=', integration)
    .orderBy('id')
    .execute()
  expect(events.map(({ detail }) => detail)).toEqual([
    '(suspended on GitHub)',
    '(active on GitHub)',
    '(removed on GitHub)',
  ])
})
