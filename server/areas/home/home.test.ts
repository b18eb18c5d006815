import type { Insertable } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getHome } from '../../../contract/home.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import type { Tables } from '../../tables.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db } = slipway

/** Creates a workspace with a reachable and an unreachable server. */
async function makeYard() {
  const { workspace, viewer } = await makeTeam(db)
  const watched = { watched_until: new Date(Date.now() + 600_000), containers_live: true }
  const server = await makeServer(slipway.ctx, workspace, nowhere(), {
    name: 'web-1',
    status: 'ready',
    ...watched,
  })
  const home = async () => (await slipway.ok(getHome, { token: viewer.token })).home
  const application = (name: string) => makeApplication(db, workspace, server, { name })
  const deploy = (id: Id<'application'>, given: Parameters<typeof makeDeployment>[3]) =>
    makeDeployment(db, workspace, { id, server }, given)
  return { workspace, server, home, application, deploy }
}

/** Creates containers of a release, running or not. */
async function makeContainer(
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
  application_id: Id<'application'>,
  state: 'running' | 'exited',
) {
  const release_id = await makeRelease(slipway.ctx, workspace_id, application_id, 1)
  const deployment_id = await makeDeployment(db, workspace_id, { id: application_id, server: server_id })
  const instance = newId('instance')
  const id = instance.padEnd(64, '0')
  await db
    .insertInto('containers')
    .values({
      workspace_id,
      server_id,
      id,
      name: 'shop-1',
      image: 'shop',
      image_id: 'sha256:1',
      state,
      exit_code: state === 'exited' ? 3 : null,
      ports: '[]',
      created_at: new Date(),
      application_id,
    })
    .execute()
  await db
    .insertInto('instances')
    .values({
      id: instance,
      workspace_id,
      application_id,
      server_id,
      deployment_id,
      release_id,
      replica: 0,
      container_id: id,
      state: 'serving',
    })
    .execute()
}

test('returns only counts for a workspace without problems', async () => {
  const { workspace, server, home, application, deploy } = await makeYard()
  const shop = await application('shop')
  await makeContainer(workspace, server, shop, 'running')
  const old = new Date(Date.now() - 31 * 86_400_000)
  await deploy(shop, { status: 'failed', created_at: old })
  await deploy(shop, { status: 'completed' })
  expect(await home()).toEqual({
    servers: 1,
    applications: 1,
    deploys: 2,
    attention: [],
    more: 0,
    checklist: { server: true, application: true, domain: false, team: true, alerts: false },
  })
})

test('lists problems, with each application once', async () => {
  const { workspace, server, home, application, deploy } = await makeYard()
  await makeServer(slipway.ctx, workspace, nowhere(), {
    name: 'web-2',
    status: 'unreachable',
    reason: 'Connection refused.',
  })
  const down = await application('down')
  await makeContainer(workspace, server, down, 'exited')
  const failed = await deploy(down, { status: 'failed' })
  const blog = await application('blog')
  const first = await deploy(blog, failedWith(slipway.ctx, ['No such image.']))
  await deploy(blog, { status: 'cancelled' })
  const found = (await home()).attention.map(({ kind, summary, reason, deployment_id }) => ({
    kind,
    summary,
    reason,
    deployment_id,
  }))
  expect(found).toHaveLength(3)
  expect(found).toEqual(
    expect.arrayContaining([
      {
        kind: 'server_unreachable',
        summary: 'web-2 is unreachable.',
        reason: 'Connection refused.',
        deployment_id: null,
      },
      {
        kind: 'application_failed',
        summary: 'down is not running.',
        reason: 'Container shop-1 exited with code 3.',
        deployment_id: failed,
      },
      {
        kind: 'deployment_failed',
        summary: 'The latest deployment of blog failed.',
        reason: 'No such image.',
        deployment_id: first,
      },
    ]),
  )
})

test('tells failed creation, setup and destruction of a server apart', async () => {
  const { workspace, home } = await makeYard()
  const { ctx } = slipway
  const token = await makeCloudToken(ctx, workspace, 'token')
  const why = { status: 'failed', reason: 'It says why.' } as const
  await makeCloudServer(ctx, workspace, token, { step: 'boot' }, { name: 'new', ...why })
  await makeCloudServer(ctx, workspace, token, {}, { name: 'made', ...why })
  await makeCloudServer(ctx, workspace, token, {}, { name: 'old', ...why, status: 'deleting' })
  await makeCloudServer(ctx, workspace, token, {}, { name: 'going', status: 'deleting' })
  const { attention } = await home()
  expect(attention.map(({ summary }) => summary).toSorted()).toEqual([
    'made could not be set up.',
    'new could not be created.',
    'old has not been destroyed yet.',
  ])
})

test('clears a failed deployment after a later success or when the application is deleted', async () => {
  const { home, application, deploy } = await makeYard()
  const [mended, gone] = [await application('mended'), await application('gone')]
  await deploy(mended, { status: 'failed' })
  await deploy(mended, { status: 'completed' })
  await deploy(gone, { status: 'failed' })
  await db.updateTable('applications').set({ deleting_at: new Date() }).where('id', '=', gone).execute()
  expect(await home()).toMatchObject({ applications: 1, attention: [] })
})

test('shows a certificate failure with the error of the authority to its workspace only', async () => {
  const { workspace, home, application } = await makeYard()
  const application_id = await application('shop')
  const host = 'shop.example.com'
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), workspace_id: workspace, application_id, host, path: '/', https: true })
    .execute()
  await db
    .insertInto('certificates')
    .values({
      id: newId('certificate'),
      workspace_id: workspace,
      host,
      kind: 'acme',
      status: 'failed',
      error: 'No such name.',
    })
    .execute()
  expect((await home()).attention).toMatchObject([
    { kind: 'certificate_failed', summary: 'shop.example.com has no certificate.', reason: 'No such name.' },
  ])
  const other = await makeYard()
  expect((await other.home()).attention).toEqual([])
})

test('returns only the number of problems beyond 20', async () => {
  const { home, application, deploy } = await makeYard()
  for (let n = 0; n < 22; n++) await deploy(await application(`shop ${n}`), { status: 'failed' })
  const { attention, more } = await home()
  expect([attention.length, more]).toEqual([20, 2])
})

/** Creates a firing alert of this kind. */
async function makeFiring(
  workspace: Id<'workspace'>,
  given: Pick<Insertable<Tables['incidents']>, 'kind' | 'summary'> & Partial<Insertable<Tables['incidents']>>,
  alert: Partial<Insertable<Tables['alerts']>> = {},
) {
  const id = await makeAlert(db, workspace, { kind: given.kind, ...alert })
  return makeIncident(db, workspace, id, { subject_name: 'web-1', ...given })
}

test('lists firing alerts unless they are muted', async () => {
  const { workspace, home } = await makeYard()
  const soon = new Date(Date.now() + 600_000)
  const id = await makeFiring(workspace, { kind: 'memory', summary: 'web-1 uses 97 % of its memory.' })
  await makeFiring(workspace, { kind: 'disk', summary: 'It was over.', state: 'resolved' })
  await makeFiring(workspace, { kind: 'disk', summary: 'It was not long enough.', state: 'pending' })
  await makeFiring(workspace, { kind: 'cpu', summary: 'It is muted.', muted_until: soon })
  await makeFiring(workspace, { kind: 'load', summary: 'Its alert is.' }, { muted_until: soon })
  const window = { kind: 'once', from: new Date(0).toISOString(), to: soon.toISOString() }
  await makeFiring(
    workspace,
    { kind: 'cpu', summary: 'They work on it.' },
    { windows: JSON.stringify([window]) },
  )
  expect((await home()).attention).toMatchObject([
    {
      kind: 'alert_warning',
      summary: 'web-1 uses 97 % of its memory.',
      target: { kind: 'incident', id, name: 'web-1' },
    },
  ])
})

test('does not repeat a listed problem as an alert', async () => {
  const { workspace, server, home, application, deploy } = await makeYard()
  const lost = await makeServer(slipway.ctx, workspace, nowhere(), { name: 'web-2', status: 'unreachable' })
  const down = await application('down')
  await makeContainer(workspace, server, down, 'exited')
  const blog = await application('blog')
  await deploy(blog, { status: 'failed' })
  await makeFiring(workspace, { kind: 'server_unreachable', summary: 'No web-2.', server_id: lost })
  await makeFiring(workspace, { kind: 'container_stopped', summary: 'No shop-1.', application_id: down })
  await makeFiring(workspace, { kind: 'http_check', summary: 'No answer.', application_id: down })
  await makeFiring(workspace, { kind: 'deployment_failed', summary: 'It failed.', application_id: blog })
  await makeFiring(workspace, { kind: 'http_check', summary: 'blog answers 502.', application_id: blog })
  const kinds = (await home()).attention.map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual([
    'alert_warning',
    'application_failed',
    'deployment_failed',
    'server_unreachable',
  ])
})

test('lists a paused channel with its reason, but not a disabled one', async () => {
  const { workspace, home } = await makeYard()
  const paused = { type: 'webhook', paused_at: new Date(), reason: 'It answered 410.' }
  const id = newId('notification')
  await db
    .insertInto('notifications')
    .values([
      { ...paused, id, workspace_id: workspace, name: 'On-call' },
      { ...paused, id: newId('notification'), workspace_id: workspace, name: 'Old', enabled: false },
    ])
    .execute()
  expect((await home()).attention).toMatchObject([
    {
      kind: 'channel_paused',
      summary: 'The channel On-call is paused after repeated failures.',
      reason: 'It answered 410.',
      target: { kind: 'notification', id, name: 'On-call' },
    },
  ])
})
