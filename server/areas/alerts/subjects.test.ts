import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { openAlertStage } from '../../../test/support/stages/alert-stage.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
} from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const stage = () => openAlertStage(slipway)
type Stage = Awaited<ReturnType<typeof stage>>

const atOnce = { for_seconds: 0, clear_seconds: 0, clear_threshold: null }

const announce = (of: Stage, id: Id<'alert'>) =>
  transaction(db, (trx) =>
    emit(trx, 'slipway', of.workspace, 'alert.updated', { kind: 'alert', id, name: 'it' }),
  )

async function makeProject(of: Stage): Promise<Id<'project'>> {
  const id = newId('project')
  await db
    .insertInto('projects')
    .values({ id, workspace_id: of.workspace, name: unique('project') })
    .execute()
  return id
}

test('notifies about each failed deployment and resolves after a success', async () => {
  const of = await stage()
  const application = await makeApplication(db, of.workspace, of.server)
  const deploy = (status: 'failed' | 'completed' | 'cancelled', finished_at = new Date(Date.now() + 1_000)) =>
    makeDeployment(
      db,
      of.workspace,
      { id: application, server: of.server },
      { ...failedWith(ctx, ['No.']), status, finished_at },
    )
  await deploy('failed', new Date(Date.now() - 60_000))
  const alert = await makeAlert(db, of.workspace, { kind: 'deployment_failed' })
  await of.pass(10)
  expect(await of.incidents(alert)).toEqual([])
  const first = await deploy('failed')
  await of.pass(10)
  await deploy('cancelled')
  await of.pass(10)
  expect(await of.incidents(alert)).toMatchObject([{ state: 'firing', deployment_id: first }])
  const second = await deploy('failed')
  await of.pass(10)
  // The event triggers a read before the next periodic one.
  await of.pass(1)
  expect(await of.incidents(alert)).toMatchObject([
    { state: 'resolved', resolved_reason: 'A later deployment failed as well.' },
    { state: 'firing', deployment_id: second },
  ])
  await deploy('completed')
  await of.pass(10)
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.started', 'alert.resolved'])
})

test('keeps incidents when subjects cannot be read after a restart', async () => {
  const of = await stage()
  const application = await makeApplication(db, of.workspace, of.server)
  const alert = await makeAlert(db, of.workspace, { kind: 'deployment_failed', ...atOnce })
  const failed = { status: 'failed', finished_at: new Date(Date.now() + 1_000) } as const
  await makeDeployment(db, of.workspace, { id: application, server: of.server }, failed)
  await of.pass()
  await of.restart()
  await sql`alter table deployments rename to unreadable`.execute(db)
  await expect(of.pass()).rejects.toThrow('deployments')
  await expect(of.pass()).rejects.toThrow('deployments')
  await sql`alter table unreadable rename to deployments`.execute(db)
  await of.pass()
  await of.pass(11)
  expect(await of.eventTypes(alert)).toEqual(['alert.started'])
})

test('checks a domain while its application should respond', async () => {
  const of = await stage()
  const { application } = await of.serve()
  const host = `${unique('shop')}.invalid`
  // The server's own resolver refuses this name.
  const domain = {
    workspace_id: of.workspace,
    application_id: application,
    host,
    path: '/',
    https: true,
    generated: true,
  }
  await db
    .insertInto('domains')
    .values({ ...domain, id: newId('domain') })
    .execute()
  const alert = await makeAlert(db, of.workspace, { kind: 'http_check', ...atOnce })
  const answers = () => db.selectFrom('checks').select('ok').where('alert_id', '=', alert).execute()
  await of.pass()
  await vi.waitFor(async () => expect(await answers()).toEqual([{ ok: false }]))
  await of.pass()
  expect(await of.incidents(alert)).toMatchObject([{ state: 'firing', subject_id: application }])
  const check = {
    workspace_id: of.workspace,
    alert_id: alert,
    application_id: application,
    url: `https://${host}/`,
  }
  await db
    .insertInto('checks')
    .values({ ...check, at: new Date(of.clock.now + 1_000), ok: true })
    .execute()
  await of.pass()
  expect(await of.incidents(alert)).toMatchObject([{ state: 'resolved' }])
  await db
    .insertInto('checks')
    .values({ ...check, at: new Date(of.clock.now + 1_000), ok: false })
    .execute()
  await of.pass()
  await db.updateTable('applications').set({ maintenance: true }).where('id', '=', application).execute()
  await of.pass(20)
  expect(await of.incidents(alert)).toMatchObject([
    { state: 'resolved' },
    { state: 'resolved', resolved_reason: expect.stringContaining('no longer in the scope') },
  ])
})

test('fires once for a certificate of several applications', async () => {
  const of = await stage()
  const applications = [await of.serve(), await of.serve()]
  const host = `${unique('shop')}.example`
  for (const { application } of applications) {
    const domain = { workspace_id: of.workspace, application_id: application, host, path: `/${application}` }
    await db
      .insertInto('domains')
      .values({ ...domain, id: newId('domain'), https: true })
      .execute()
  }
  const id = newId('certificate')
  const expires_at = new Date(Date.now() + 5.5 * 86_400_000)
  await db
    .insertInto('certificates')
    .values({
      id,
      workspace_id: of.workspace,
      host,
      kind: 'uploaded',
      status: 'issued',
      chain: 'chain',
      expires_at,
    })
    .execute()
  const scope = { scope_kind: 'application', scope_id: applications[1]?.application ?? null } as const
  const [all, one] = [
    await makeAlert(db, of.workspace, { kind: 'certificate_expiry', clear_seconds: 0 }),
    await makeAlert(db, of.workspace, { kind: 'certificate_expiry', clear_seconds: 0, ...scope }),
  ]
  await of.pass()
  for (const alert of [all, one])
    expect(await of.incidents(alert)).toMatchObject([
      { state: 'firing', subject_id: id, subject_name: host, value: 5 },
    ])
  await db
    .updateTable('certificates')
    .set({ expires_at: new Date(Date.now() + 90 * 86_400_000) })
    .where('id', '=', id)
    .execute()
  await of.pass(60)
  expect(await of.incidents(all)).toMatchObject([{ state: 'resolved' }])
  await db.deleteFrom('domains').where('host', '=', host).execute()
})

test('fires for a short-lived certificate once its renewal is overdue, and resolves when it is renewed', async () => {
  const of = await stage()
  const { application } = await of.serve()
  const host = `${unique('shop')}.example`
  const ids = { workspace_id: of.workspace, host }
  await db
    .insertInto('domains')
    .values({ ...ids, id: newId('domain'), application_id: application, path: '/', https: true })
    .execute()
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
  const valid = (from: number, until: number) => ({ valid_from: hours(from), expires_at: hours(until) })
  const issued = { kind: 'acme', status: 'issued', chain: 'chain' } as const
  await db
    .insertInto('certificates')
    .values({ ...ids, ...issued, ...valid(-17, 7), id: newId('certificate') })
    .execute()
  const setLifetime = (from: number, until: number) =>
    db.updateTable('certificates').set(valid(from, until)).where('host', '=', host).execute()
  const alert = await makeAlert(db, of.workspace, { kind: 'certificate_expiry', clear_seconds: 0 })
  await of.pass()
  expect(await of.incidents(alert)).toEqual([])
  await setLifetime(-19, 5)
  await of.pass(60)
  expect(await of.incidents(alert)).toMatchObject([{ state: 'firing', subject_name: host, value: 0 }])
  await setLifetime(0, 24)
  await of.pass(60)
  expect(await of.incidents(alert)).toMatchObject([{ state: 'resolved' }])
  await db.deleteFrom('domains').where('host', '=', host).execute()
})

describe('a scope', () => {
  test('limits the subjects of an alert', async () => {
    const of = await stage()
    const project = await makeProject(of)
    const other = await makeServer(ctx, of.workspace, nowhere(), {
      status: 'unreachable',
      watched_until: new Date(Date.now() + 86_400_000),
    })
    await db.updateTable('servers').set({ status: 'unreachable' }).where('id', '=', of.server).execute()
    await db
      .insertInto('project_servers')
      .values({ workspace_id: of.workspace, project_id: project, server_id: other })
      .execute()
    const make = (scope_kind: 'all' | 'server' | 'project', scope_id: string | null) =>
      makeAlert(db, of.workspace, { kind: 'server_unreachable', ...atOnce, scope_kind, scope_id })
    const [all, one, some] = [
      await make('all', null),
      await make('server', of.server),
      await make('project', project),
    ]
    await of.pass()
    const subjects = async (alert: Id<'alert'>) =>
      (await of.incidents(alert)).map(({ subject_id }) => subject_id)
    expect((await subjects(all)).toSorted()).toEqual([of.server, other].toSorted())
    expect(await subjects(one)).toEqual([of.server])
    expect(await subjects(some)).toEqual([other])
  })

  test('selects a container by name, an application, or a project by its applications', async () => {
    const of = await stage()
    const project = await makeProject(of)
    const part = await of.serve({ project_id: project })
    const alone = await of.container({ name: 'db' })
    const make = (
      scope_kind: 'container' | 'application' | 'project',
      scope_id: string,
      scope_container?: string,
    ) =>
      makeAlert(db, of.workspace, {
        kind: 'container_unhealthy',
        ...atOnce,
        scope_kind,
        scope_id,
        scope_container: scope_container ?? null,
      })
    const alerts = [
      await make('container', of.server, 'db'),
      await make('application', part.application),
      await make('project', project),
    ]
    await of.pass()
    for (const id of [part.container, alone]) await of.changeContainer(id, { health: 'unhealthy' })
    await of.pass()
    const subjects = await Promise.all(alerts.map((alert) => of.incidents(alert)))
    expect(subjects.map((rows) => rows.map(({ subject_id }) => subject_id))).toEqual([
      [alone],
      [part.container],
      [part.container],
    ])
  })

  test('resolves incidents outside it, as disabling the alert and deleting the server do', async () => {
    const of = await stage()
    const given = { kind: 'server_unreachable', ...atOnce } as const
    const other = await makeServer(ctx, of.workspace, nowhere())
    const [narrowed, off, gone] = [
      await makeAlert(db, of.workspace, given),
      await makeAlert(db, of.workspace, given),
      await makeAlert(db, of.workspace, { ...given, for_seconds: 0 }),
    ]
    const waiting = await makeAlert(db, of.workspace, { ...given, for_seconds: 600 })
    await db.updateTable('servers').set({ status: 'unreachable' }).where('id', '=', of.server).execute()
    await of.pass()
    await db
      .updateTable('alerts')
      .set({ scope_kind: 'server', scope_id: other })
      .where('id', '=', narrowed)
      .execute()
    await db.updateTable('alerts').set({ enabled: false }).where('id', '=', off).execute()
    await announce(of, off)
    await of.pass()
    expect(await of.incidents(narrowed)).toMatchObject([
      { resolved_reason: expect.stringContaining('no longer in the scope') },
    ])
    expect(await of.incidents(off)).toMatchObject([{ resolved_reason: 'The alert was turned off.' }])
    expect(await of.incidents(gone)).toMatchObject([{ state: 'firing' }])
    await db.deleteFrom('servers').where('id', '=', of.server).execute()
    await of.pass()
    expect(await of.incidents(gone)).toMatchObject([
      { resolved_reason: expect.stringMatching(/^The server .* was deleted\.$/) },
    ])
    expect(await of.incidents(waiting)).toEqual([])
    for (const alert of [narrowed, off, gone])
      expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
  })
})
