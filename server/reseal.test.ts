import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { logIn, signUp } from '../contract/auth.ts'
import type { Id } from '../contract/shared/ids.ts'
import { createImportToken } from '../contract/imports.ts'
import { createServer } from '../contract/servers.ts'
import { confirmTwoFactor, startTwoFactor } from '../contract/user.ts'
import { inviteMember, listInvites } from '../contract/workspaces.ts'
import { makeIncident } from '../test/support/factories/alert-factories.ts'
import { makeMessage } from '../test/worlds/world-alerts.ts'
import { makeChannel } from '../test/support/factories/channels.ts'
import { clientOf } from '../test/support/clients/client.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/run/database.ts'
import {
  failedWith,
  makeApplication,
  makeDeployment,
  makeRelease,
  makeSavedLog,
  makeSource,
} from '../test/support/factories/application-factories.ts'
import { makeCommand } from '../test/support/factories/factories.ts'
import { readCause, sealCause } from './areas/alerts/incident.ts'
import { openErrors, openStepError, sealStepError } from './areas/deployments/run/deployment.ts'
import { openChunk } from './areas/saved-logs/log-chunks.ts'
import { openSettings } from './areas/notifications/channel-type.ts'
import { readAccountKey } from './areas/domains/acme-request.ts'
import { certificateKeySealContext } from './areas/applications/hosts/certificate-request.ts'
import { serverKeySealContext } from './areas/servers/server-host.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import { createApp } from './http/app.ts'
import { openContext } from './open.ts'
import { newId } from './platform/ids.ts'
import { enqueue, jobErrorLocation, findJob, jobPayloadLocation } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { reseal, sealedColumns } from './reseal.ts'
import { openContent, openResponses } from './areas/notifications/store.ts'

const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const missing = /key .* is missing.* keep the old one after it, separated by a comma/

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
  return () => database.drop()
})

async function openWith(SECRET_KEY: string) {
  const { host, user, database: name } = database.connection
  const DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}/${name}`
  const { ctx, close } = await openContext(readConfig({ DATABASE_URL, SECRET_KEY }), createLog('silent'))
  const app = await createApp(ctx)
  const closeAll = async () => {
    await app.close()
    await close()
  }
  onTestFinished(closeAll)
  return { ctx, close: closeAll, ...clientOf(app) }
}

test('refuses to start without a key that sealed something', async () => {
  await (await openWith(older)).close()
  await expect(openWith(newer)).rejects.toThrow(missing)
  await (await openWith(`${newer},${older}`)).close()
  await expect(openWith(newer)).rejects.toThrow(missing)
  await expect(openWith(older)).rejects.toThrow(missing)
})

test('opens everything with the new key after resealing', async () => {
  const before = await openWith(older)
  const who = { email: 'ada@example.com', password: 'a long enough secret' }
  await before.ok(signUp, { body: { organisation: 'Docks', ...who } })
  const { access_token: token } = await before.ok(logIn, { body: who })
  const again = { token, body: { email: 'bob@example.com' }, headers: { 'idempotency-key': 'once' } }
  const invited = await before.ok(inviteMember, again)
  const { secret } = await before.ok(startTwoFactor, { token, body: { password: who.password } })
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  await before.ok(confirmTwoFactor, { token, body: { code: code(0) } })
  const job = await enqueue(before.ctx.secrets, before.ctx.db, { kind: 'nothing', payload: 'kept' })
  const error_sealed = before.ctx.secrets.seal(jobErrorLocation(job), 'It rained.')
  await before.ctx.db.updateTable('jobs').set({ error_sealed }).where('id', '=', job).execute()
  const body = { name: 'web-1', address: '192.0.2.7' }
  const { server } = await before.ok(createServer, { token, body })
  const key = await openKey(before.ctx, server.id)
  await before.ok(createImportToken, { token, body: {} })
  const account = await readAccountKey(before.ctx)
  await addApplication(before.ctx, server.id)
  await addWaysIn(before.ctx)
  await addShared(before.ctx)
  await addTold(before.ctx)
  await addTexts(before.ctx, server.id)
  await addSettings(before.ctx)
  const oldId = before.ctx.secrets.keyId
  await before.close()

  const both = await openWith(`${newer},${older}`)
  expect(await reseal(both.ctx)).toBeGreaterThanOrEqual(sealedColumns.length)
  expect(await reseal(both.ctx)).toBe(0)
  await both.close()
  expect(await dump()).not.toContain(oldId)

  const after = await openWith(newer)
  expect(await after.ok(inviteMember, again)).toEqual(invited)
  expect((await after.ok(listInvites, { token })).invites).toMatchObject([{ url: invited.invite.url }])
  await after.ok(logIn, { body: { ...who, otp: code(1) } })
  expect(await openKey(after.ctx, server.id)).toBe(key)
  expect(await readAccountKey(after.ctx)).toBe(account)
  const certificate = await after.ctx.db.selectFrom('certificates').selectAll().executeTakeFirstOrThrow()
  const { id, key_sealed } = certificate
  expect(after.ctx.secrets.open(certificateKeySealContext(id), key_sealed ?? '')).toBe('secret')
  const channel = await after.ctx.db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow()
  expect(openSettings(after.ctx, channel)).toMatchObject({ url: 'https://example.com/hook' })
  const message = await after.ctx.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
  expect(openContent(after.ctx, message)).toMatchObject({ title: 'secret' })
  expect(openResponses(after.ctx, message)).toMatchObject([{ response: 'secret' }])
  const failed = await after.ctx.db.selectFrom('deployments').selectAll().executeTakeFirstOrThrow()
  expect(openErrors(after.ctx, failed)).toEqual(['secret'])
  const step = await after.ctx.db.selectFrom('deployment_steps').selectAll().executeTakeFirstOrThrow()
  expect(openStepError(after.ctx, failed.id, step.error_sealed)).toBe('secret')
  const chunk = await after.ctx.db.selectFrom('saved_log_chunks').selectAll().executeTakeFirstOrThrow()
  expect(await openChunk(after.ctx, chunk)).toMatchObject([{ text: 'secret' }])
  const incident = await after.ctx.db.selectFrom('incidents').selectAll().executeTakeFirstOrThrow()
  expect(readCause(after.ctx, incident)).toMatchObject({ lines: ['secret'] })
  const row = await after.ctx.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', job)
    .executeTakeFirstOrThrow()
  expect(after.ctx.secrets.open(jobPayloadLocation(job), row.payload_sealed)).toBe('"kept"')
  expect(await findJob(after.ctx.secrets, after.ctx.db, job)).toMatchObject({ error: 'It rained.' })
})

test('lists every sealed column', async () => {
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_sealed'`.execute(database.db)
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ place }) => place).filter((place) => !listed.includes(place))).toEqual([])
})

/** Creates an application with one secret of each kind. */
async function addApplication(ctx: Context, server: Id<'server'>) {
  const { db, secrets } = ctx
  const { workspace_id: workspace } = await db
    .selectFrom('servers')
    .select('workspace_id')
    .where('id', '=', server)
    .executeTakeFirstOrThrow()
  const application = await makeApplication(db, workspace, server)
  const deployment = await makeDeployment(
    db,
    workspace,
    { id: application, server },
    failedWith(ctx, ['secret']),
  )
  const error_sealed = sealStepError(ctx, deployment, 'secret')
  await db
    .insertInto('deployment_steps')
    .values({
      workspace_id: workspace,
      deployment_id: deployment,
      position: 1,
      name: 'wait',
      status: 'failed',
      error_sealed,
    })
    .execute()
  const env_sealed = secrets.seal(`deployments.env_sealed:${deployment}`, '[]')
  await db.updateTable('deployments').set({ env_sealed }).where('id', '=', deployment).execute()
  const release = await makeRelease(ctx, workspace, application, 1)
  await makeSavedLog(ctx, workspace, application, ['secret'])
  const files = { applications: application, releases: release, deployments: deployment }
  for (const [table, id] of Object.entries(files)) {
    const sealed = secrets.seal(`${table}.compose_sealed:${id}`, 'services: {}')
    await sql`update ${sql.table(table)} set compose_sealed = ${sealed} where id = ${id}`.execute(db)
  }
  const [variable, certificate] = [newId('variable'), newId('certificate')]
  const value_sealed = secrets.seal(`variables.value_sealed:${variable}`, 'a')
  const of = { workspace_id: workspace, application_id: application }
  await db
    .insertInto('variables')
    .values({ id: variable, ...of, position: 1, key: 'A', value_sealed })
    .execute()
  const key_sealed = secrets.seal(certificateKeySealContext(certificate), 'secret')
  const issued = { host: 'app.example.com', kind: 'uploaded', status: 'issued' } as const
  await db.insertInto('host_names').values({ host: issued.host, workspace_id: workspace }).execute()
  await db
    .insertInto('certificates')
    .values({ id: certificate, workspace_id: workspace, ...issued, key_sealed })
    .execute()
}

/** Creates the keys of a GitHub App and the secret of a deploy hook. */
async function addWaysIn({ db, secrets }: Context) {
  const { id: application_id, workspace_id } = await db
    .selectFrom('applications')
    .select(['id', 'workspace_id'])
    .executeTakeFirstOrThrow()
  const url = 'https://github.com'
  const seal = (column: string) => secrets.seal(`github_apps.${column}:${url}`, 'secret')
  await db
    .insertInto('github_apps')
    .values({
      url,
      app_id: 1,
      slug: 'slipway',
      name: 'Slipway',
      client_id: 'Iv1.a',
      client_secret_sealed: seal('client_secret_sealed'),
      webhook_secret_sealed: seal('webhook_secret_sealed'),
      key_sealed: seal('key_sealed'),
    })
    .execute()
  const secret_sealed = secrets.seal(`hooks.secret_sealed:${application_id}`, 'secret')
  await db.insertInto('hooks').values({ application_id, workspace_id, name: 'hook', secret_sealed }).execute()
}

/** Creates secrets that several applications share. */
async function addShared({ db, secrets }: Context) {
  const { id: application, workspace_id } = await db
    .selectFrom('applications')
    .select(['id', 'workspace_id'])
    .executeTakeFirstOrThrow()
  const [project, variable] = [newId('project'), newId('projectVariable')]
  const [registry, template] = [newId('registry'), newId('template')]
  const seal = (column: string, id: string) => secrets.seal(`${column}:${id}`, 'secret')
  const notes_sealed = seal('applications.notes_sealed', application)
  await db.updateTable('applications').set({ notes_sealed }).where('id', '=', application).execute()
  const named = { workspace_id, name: 'Harbour' }
  await db
    .insertInto('projects')
    .values({ id: project, ...named })
    .execute()
  const value_sealed = seal('project_variables.value_sealed', variable)
  await db
    .insertInto('project_variables')
    .values({ id: variable, workspace_id, project_id: project, position: 0, key: 'A', value_sealed })
    .execute()
  const password_sealed = seal('registries.password_sealed', registry)
  const where = { kind: 'other', host: 'registry.example.com', scope: '', username: 'ada' } as const
  await db
    .insertInto('registries')
    .values({ id: registry, ...named, ...where, password_sealed })
    .execute()
  const cloud = newId('cloudToken')
  await db
    .insertInto('cloud_tokens')
    .values({
      id: cloud,
      ...named,
      provider: 'hetzner',
      token_sealed: seal('cloud_tokens.token_sealed', cloud),
    })
    .execute()
  const template_sealed = seal('templates.template_sealed', template)
  const compose_sealed = seal('templates.compose_sealed', template)
  await db
    .insertInto('templates')
    .values({
      id: template,
      ...named,
      description: '',
      category: 'other',
      listed: '{}',
      template_sealed,
      compose_sealed,
    })
    .execute()
}

/** Creates an incident and its message. */
async function addTold(ctx: Context) {
  const { id: workspace } = await ctx.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const id = newId('incident')
  const cause_sealed = sealCause(ctx, id, { facts: [], lines: ['secret'] })
  await makeIncident(ctx.db, workspace, null, { id, cause_sealed })
  const channel = await makeChannel(ctx, workspace, 'https://example.com/hook')
  const responses = [{ at: new Date().toISOString(), ok: false, response: 'secret', duration_ms: 1 }]
  await makeMessage(ctx, workspace, channel, { title: 'secret', responses })
}

/** Creates the settings of an application and their frozen copies. */
async function addSettings({ db, secrets }: Context) {
  const { id, workspace_id } = await db
    .selectFrom('applications')
    .select(['id', 'workspace_id'])
    .executeTakeFirstOrThrow()
  for (const table of ['applications', 'releases', 'deployments']) {
    const column = table === 'applications' ? 'command_sealed' : 'config_sealed'
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}`.execute(db)
    for (const row of rows)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${secrets.seal(`${table}.${column}:${row.id}`, '["secret"]')}
        where id = ${row.id}`.execute(db)
  }
  const mail = secrets.seal('instance_settings.value_sealed:mail', 'secret')
  await sql`insert into instance_settings (name, value_sealed) values ('mail', ${mail})`.execute(db)
  const label = newId('label')
  const value_sealed = secrets.seal(`labels.value_sealed:${label}`, 'secret')
  const of = { workspace_id, application_id: id }
  await db
    .insertInto('labels')
    .values({ id: label, ...of, position: 1, key: 'team', value_sealed })
    .execute()
  await makeSource(db, workspace_id, id, {
    integration_id: null,
    repository_id: 1,
    repository: 'octocat/hello',
    build_args_sealed: secrets.seal(`sources.build_args_sealed:${id}`, '[]'),
    generated_sealed: secrets.seal(`sources.generated_sealed:${id}`, 'FROM scratch'),
  })
}

/** Creates commands, deliveries and their output. */
async function addTexts(ctx: Context, server: Id<'server'>) {
  const { workspace_id } = await ctx.db.selectFrom('servers').select('workspace_id').executeTakeFirstOrThrow()
  const command = await makeCommand(ctx, workspace_id, server, { command: 'secret', output: 'secret' })
  const id = newId('delivery')
  const payload_sealed = ctx.secrets.seal(`deliveries.payload_sealed:${id}`, 'secret')
  const about = { hook: 'github', delivery: id, event: 'push', queue: 'any' } as const
  await ctx.db
    .insertInto('deliveries')
    .values({ id, workspace_id, ...about, payload_sealed })
    .execute()
  return { workspace_id, command, delivery: id }
}

async function openKey({ db, secrets }: Context, id: Id<'server'>): Promise<string> {
  const row = await db
    .selectFrom('servers')
    .select('key_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secrets.open(serverKeySealContext(id), row.key_sealed ?? '')
}

async function dump(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select query_to_xml(format('select * from %I', table_name), true, false, '')::text as text
    from information_schema.tables where table_schema = 'public'`.execute(database.db)
  return rows.map(({ text }) => text).join('\n')
}
