import { afterAll, describe, expect, test, vi } from 'vitest'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { deleteAlert } from '../../../contract/alerts.ts'
import { deployApplication } from '../../../contract/deployments.ts'
import { noticeNames } from '../../../contract/notifications.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { makeChannel } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeMember,
  makeServer,
  makeTeam,
  makeUser,
  makeWorkspace,
  nowhere,
} from '../../../test/support/factories/factories.ts'
import { emit, type Target } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { sealCause } from '../alerts/incident.ts'
import { notifyExpiringTokens } from '../api-tokens/jobs.ts'
import { appendOutput } from '../outputs/output.ts'
import { openContent } from './store.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
slipway.work()
const patiently = { interval: 50 }

/** Inserts a paused channel, which keeps its messages. */
const listen = (workspace: Id<'workspace'>, events: readonly (typeof noticeNames)[number][] = noticeNames) =>
  makeChannel(ctx, workspace, 'https://hooks.example.com', { events: [...events], paused_at: new Date() })

async function happen(workspace: Id<'workspace'>, type: EventType, target?: Target, detail?: string) {
  await transaction(db, (trx) => emit(trx, 'slipway', workspace, type, target, detail))
}

/** Returns the messages after all events are delivered. */
async function messagesFor(channel: Id<'notification'>) {
  await vi.waitFor(async () => {
    const left = await db.selectFrom('events').select('id').where('relayed', '=', false).execute()
    expect(left).toEqual([])
  }, patiently)
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('notification_id', '=', channel)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ ...openContent(ctx, row), key: row.key, incident: row.incident_id }))
}

const incidentTarget = (id: string, about: string): Target => ({ kind: 'incident', id, name: 'web', about })

async function openShop() {
  const { workspace, owner } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, nowhere(), { name: 'web-1' })
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const release_id = await makeRelease(ctx, workspace, id, 7)
  return { workspace, token: owner.token, id, server, release_id }
}

describe('a deployment', () => {
  test('includes release, commit, initiator, duration and server', async () => {
    const { workspace, id, server, release_id } = await openShop()
    await db
      .insertInto('domains')
      .values({
        id: 'dom_1' as Id<'domain'>,
        workspace_id: workspace,
        application_id: id,
        host: 'shop.example.com',
        path: '/',
        https: false,
      })
      .execute()
    const commit = {
      sha: 'a'.repeat(40),
      message: 'Fix <it>',
      author: null,
      branch: 'main',
      url: 'https://x.test',
    }
    const deployment = await makeDeployment(
      db,
      workspace,
      { id, server },
      {
        type: 'build_application',
        release_id,
        message: 'Build octocat/shop at aaaaaaa: Fix <it>',
        tag: 'octocat/shop@aaaaaaa',
        commit: JSON.stringify(commit),
        started_at: new Date(Date.now() - 125_000),
        finished_at: new Date(),
      },
    )
    const channel = await listen(workspace)
    const target = { kind: 'application', id, name: 'shop', about: deployment }
    await happen(workspace, 'deployment.started', target)
    await happen(workspace, 'deployment.completed', target)
    const [started, done] = await messagesFor(channel)
    expect(started).toMatchObject({ title: 'Building shop', severity: 'info', event: 'deployment_started' })
    expect(done).toMatchObject({
      event: 'deployment_succeeded',
      kind: 'happened',
      severity: 'good',
      title: 'Built and deployed shop',
      text: 'Build octocat/shop at aaaaaaa: Fix <it>.',
      facts: [
        { label: 'Application', value: 'shop' },
        { label: 'Server', value: 'web-1' },
        { label: 'Release', value: '7' },
        { label: 'Image', value: 'octocat/shop@aaaaaaa' },
        { label: 'Commit', value: 'aaaaaaa Fix <it>' },
        { label: 'Requested by', value: 'Ada' },
        { label: 'Duration', value: '2 minutes 5 seconds' },
        { label: 'URL', value: 'http://shop.example.com/' },
      ],
      link: {
        label: 'View deployment',
        url: `http://slipway.test/dashboard/applications/${id}/deployments?deploymentId=${deployment}&workspace=${workspace}`,
      },
      ids: { deployment_id: deployment, application_id: id, server_id: server },
    })
  })

  test('is notified once when it fails, with its error and last lines, with or without an alert, and once when it recovers', async () => {
    const { workspace, id, server } = await openShop()
    const errors = ['The container shop ended with exit code 1.']
    const deployment = await makeDeployment(db, workspace, { id, server }, failedWith(ctx, errors))
    const lines = Array.from({ length: 30 }, (_, nth) => `line ${nth}\n`)
    const pieces = lines.map((text) => ({ stream: 'stdout' as const, text }))
    await appendOutput(ctx, db, workspace, deployment, pieces)
    const [both, onlyAlerts] = [await listen(workspace), await listen(workspace, ['alert'])]
    const alert = await makeAlert(db, workspace, { kind: 'deployment_failed' })
    const incident = await makeIncident(db, workspace, alert, {
      kind: 'deployment_failed',
      deployment_id: deployment,
      alert_name: 'Deployment failed',
      subject_name: 'shop',
    })
    await happen(workspace, 'deployment.failed', { kind: 'application', id, name: 'shop', about: deployment })
    await happen(workspace, 'alert.started', incidentTarget(incident, alert))
    await happen(workspace, 'alert.started', incidentTarget(incident, alert))
    await happen(workspace, 'alert.resolved', incidentTarget(incident, alert))
    const heard = await messagesFor(both)
    expect(heard.map(({ title }) => title)).toEqual([
      'Failed to deploy shop',
      'Resolved: Deployment failed: shop',
    ])
    expect(heard[0]).toMatchObject({
      text: errors[0],
      severity: 'critical',
      key: `deployment:${deployment}:failed`,
    })
    expect(heard[0]?.lines).toEqual(Array.from({ length: 15 }, (_, nth) => `line ${nth + 15}`))
    const titles = (await messagesFor(onlyAlerts)).map(({ title }) => title)
    expect(titles).toEqual(['Deployment failed: shop', 'Resolved: Deployment failed: shop'])
  })

  test('is notified when its application was deleted by then', async () => {
    const workspace = await makeWorkspace(db)
    const channel = await listen(workspace)
    await happen(workspace, 'deployment.failed', {
      kind: 'application',
      id: 'app_0',
      name: 'shop',
      about: 'dep_0',
    })
    await happen(workspace, 'alert.started', incidentTarget('inc_0', await makeAlert(db, workspace)))
    await happen(workspace, 'member.joined')
    expect((await messagesFor(channel)).map(({ title }) => title)).toEqual([
      'Slipway failed to deploy shop',
      'Slipway triggered an alert for web',
      'Slipway joined',
    ])
  })
})

test('events include the deployment ID', async () => {
  const { token, id } = await openShop()
  const { deployment } = await slipway.ok(deployApplication, { token, params: { id }, body: {} })
  await vi.waitFor(async () => {
    const rows = await db.selectFrom('events').select(['type', 'about']).where('target_id', '=', id).execute()
    expect(rows).toContainEqual({ type: 'deployment.queued', about: deployment.id })
    expect(rows).toContainEqual({ type: 'deployment.started', about: deployment.id })
  }, patiently)
})

describe('an alert', () => {
  test('states subject, cause and start; then how long it lasts; then how long it lasted', async () => {
    const workspace = await makeWorkspace(db)
    const channel = await listen(workspace, ['alert'])
    const alert = await makeAlert(db, workspace)
    const began_at = new Date(Date.now() - 3 * 3_600_000)
    const incident = await makeIncident(db, workspace, alert, {
      began_at,
      severity: 'critical',
      subject_name: 'web-1',
      summary: 'CPU of web-1 is at 97 %.',
    })
    const cause = { facts: [{ label: 'Busiest', value: '<b>shop</b>' }], lines: ['panic: *now*'] }
    const change = (columns: object) =>
      db.updateTable('incidents').set(columns).where('id', '=', incident).execute()
    await change({ cause_sealed: sealCause(ctx, incident, cause) })
    await happen(workspace, 'alert.started', incidentTarget(incident, alert))
    await happen(workspace, 'alert.reminded', incidentTarget(incident, alert))
    await happen(workspace, 'alert.reminded', incidentTarget(incident, alert))
    await messagesFor(channel)
    await change({
      state: 'resolved',
      resolved_at: new Date(),
      resolved_reason: 'CPU of web-1 is at 12 % again.',
    })
    await happen(workspace, 'alert.resolved', incidentTarget(incident, alert))
    const [started, reminder, again, over, ...more] = await messagesFor(channel)
    const began = { label: 'Started', value: `${began_at.toISOString().slice(0, 16).replace('T', ' ')} UTC` }
    const url = `http://slipway.test/dashboard/notifications?incident=${incident}&workspace=${workspace}`
    expect(started).toMatchObject({
      event: 'alert',
      kind: 'started',
      severity: 'critical',
      title: 'CPU: web-1',
      text: 'CPU of web-1 is at 97 %.',
      facts: [...cause.facts, began],
      lines: cause.lines,
      link: { label: 'View alert', url },
      ids: { incident_id: incident, alert_id: alert },
      incident,
    })
    expect(reminder).toMatchObject({ kind: 'reminder', title: 'Reminder: CPU: web-1', lines: cause.lines })
    expect(reminder?.text).toBe('CPU of web-1 is at 97 %. Active for 3 hours.')
    expect(again?.kind).toBe('reminder')
    expect(over).toMatchObject({
      kind: 'over',
      severity: 'good',
      title: 'Resolved: CPU: web-1',
      link: { url },
    })
    expect(over?.text).toBe('CPU of web-1 is at 12 % again.')
    expect(over?.facts.at(-1)).toEqual({ label: 'Duration', value: '3 hours' })
    expect(more).toEqual([])
  })

  test('notifies its own channels, and its resolution those that were notified, even after its deletion', async () => {
    const { workspace, owner } = await makeTeam(db)
    const [mine, others, deaf] = [
      await listen(workspace),
      await listen(workspace),
      await listen(workspace, []),
    ]
    const elsewhere = await listen(await makeWorkspace(db))
    const alert = await makeAlert(db, workspace, { all_channels: false })
    for (const notification_id of [mine, deaf])
      await db
        .insertInto('alert_channels')
        .values({ workspace_id: workspace, alert_id: alert, notification_id })
        .execute()
    const incident = await makeIncident(db, workspace, alert)
    await happen(workspace, 'alert.started', incidentTarget(incident, alert))
    await messagesFor(mine)
    const newcomer = await listen(workspace)
    await slipway.ok(deleteAlert, { token: owner.token, params: { id: alert } })
    expect((await messagesFor(mine)).map(({ kind }) => kind)).toEqual(['started', 'over'])
    for (const channel of [others, deaf, newcomer, elsewhere]) expect(await messagesFor(channel)).toEqual([])
  })
})

test('notifies a channel about its selected events in its own workspace while it is enabled', async () => {
  const workspace = await makeWorkspace(db)
  const channel = await listen(workspace)
  const member = { kind: 'member', id: 'mem_1', name: 'Bob' }
  const server = { kind: 'server', id: 'srv_1', name: 'web-1' }
  const off = await makeChannel(ctx, workspace, 'https://hooks.example.com', {
    events: [...noticeNames],
    enabled: false,
  })
  const other = await listen(await makeWorkspace(db))
  await happen(workspace, 'server.created', server)
  await happen(workspace, 'server.imported', server)
  await happen(workspace, 'server.setup_completed', server)
  await happen(workspace, 'server.setup_failed', server, 'Its disk is full.')
  await happen(workspace, 'server.creation_failed', server, 'Its quota is reached.')
  await happen(workspace, 'server.cloud_changed', server, 'It was deleted at Hetzner.')
  await happen(workspace, 'server.deleted', server)
  const cloudToken = { kind: 'cloudToken', id: 'cld_1', name: 'Main' }
  await happen(workspace, 'cloud_token.refused', cloudToken, 'Hetzner does not take it.')
  await happen(workspace, 'member.invited', { ...member, name: 'bob@example.com' }, 'as member')
  await happen(workspace, 'member.joined', undefined, 'as member')
  await happen(workspace, 'member.role_changed', member, 'to viewer')
  await happen(workspace, 'member.removed', member)
  await happen(workspace, 'member.left')
  await happen(
    workspace,
    'notification.paused',
    { kind: 'notification', id: 'ntf_1', name: 'Pager' },
    'HTTP 410',
  )
  await happen(workspace, 'project.created')
  const heard = await messagesFor(channel)
  expect(heard.map(({ title }) => title)).toEqual([
    'Slipway added server web-1',
    'Slipway imported server web-1',
    'Slipway finished setting up web-1',
    'Slipway failed to set up web-1',
    'Could not create the server web-1',
    'The server web-1 changed at its cloud provider',
    'Slipway deleted server web-1',
    'The cloud token Main was rejected',
    'Slipway invited bob@example.com as member',
    'Slipway joined as member',
    'Slipway changed the role of Bob to viewer',
    'Slipway removed Bob',
    'Slipway left the workspace',
    'The channel Pager was paused',
  ])
  expect(heard[3]).toMatchObject({
    text: 'Its disk is full.',
    severity: 'warning',
    ids: { server_id: 'srv_1' },
  })
  expect(heard[5]).toMatchObject({ event: 'server_cloud_changed', text: 'It was deleted at Hetzner.' })
  expect(heard[7]).toMatchObject({
    event: 'cloud_token_refused',
    text: expect.stringMatching(/^Hetzner does not take it\. Until you replace the token/),
    link: { url: expect.stringContaining('/dashboard/settings/cloud-tokens') },
    ids: { cloud_token_id: 'cld_1' },
  })
  expect([await messagesFor(off), await messagesFor(other)]).toEqual([[], []])
})

test('notifies once about a token that expires within a week, and about short-lived ones on their last day', async () => {
  const workspace = await makeWorkspace(db)
  const channel = await listen(workspace, ['token_expiring'])
  const ada = await makeUser(db, { name: 'Ada' })
  await makeMember(db, workspace, ada, 'member')
  const now = Date.now()
  const inDays = (days: number) => new Date(now + days * 86_400_000)
  const month = [6, 8, -1].map((days) => ({ created: inDays(-22), expires: inDays(days) }))
  // Tokens that last a week and expire soon, three days, and one day, as CI creates them.
  const short = [[-6.5, 0.5] as const, [0, 3] as const, [0, 1] as const]
  for (const times of [
    ...month,
    ...short.map(([from, to]) => ({ created: inDays(from), expires: inDays(to) })),
  ])
    await makeApiToken(db, workspace, ada, { role: 'member', ...times })
  const { signal } = new AbortController()
  await notifyExpiringTokens(ctx, signal)
  await notifyExpiringTokens(ctx, signal)
  const heard = await messagesFor(channel)
  const [last, expiring, ...more] = heard.toSorted((one, other) => one.text.localeCompare(other.text))
  expect(last?.text).toContain(`expires on ${inDays(0.5).toISOString().slice(0, 10)} at `)
  expect(expiring?.title).toBe('The API token ci expires soon')
  expect(expiring?.text).toContain(
    `The token belongs to Ada and expires on ${inDays(6).toISOString().slice(0, 10)} at `,
  )
  expect(more).toEqual([])
})
