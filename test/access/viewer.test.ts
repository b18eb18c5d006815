import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import * as entries from '../../contract/application-entries.ts'
import { createApplication, updateApplication } from '../../contract/applications.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { attachToProject, createProject, createProjectVariable } from '../../contract/projects.ts'
import { hiddenColumns } from '../../server/areas/applications/source.ts'
import { sealCause } from '../../server/areas/alerts/incident.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { newId } from '../../server/platform/ids.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { addressOf } from './any-endpoint.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
  makeRelease,
  makeSource,
} from '../support/factories/application-factories.ts'
import { startSlipway } from '../support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../support/factories/factories.ts'
import { openStream } from '../support/clients/streams.ts'
import {
  deploymentComposeSealContext,
  deploymentEnvSealContext,
  sealStepError,
} from '../../server/areas/deployments/run/deployment.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok } = slipway
const { workspace, viewer, member } = await makeTeam(db)

const secretOf = (where: string) => `s3cr3t-${where}-Zq81`
const compose = `services:
  web:
    image: nginx
    command: ["serve", "--password=${secretOf('compose-command')}"]
    labels: { token: ${secretOf('compose-label')} }
    environment: { TOKEN: ${secretOf('compose-env')} }
    healthcheck: { test: "curl -H ${secretOf('compose-health')} localhost" }
    build: { context: ., args: { TOKEN: ${secretOf('compose-arg')} } }
`
/** Messages about an application quote the values of its configuration. */
const secretsOf = {
  plain: ['env', 'command', 'label', 'inherited'],
  built: ['arg', 'generated'],
  made: ['command', 'label', 'env', 'health', 'arg'].map((one) => `compose-${one}`),
}
const quote = (secrets: readonly string[]) => secrets.map((where) => `quoted: ${secretOf(where)}`).join('\n')
const said = quote(secretsOf.plain)

/** Object IDs by the first segment of a path. */
const ids: Record<string, string[]> = {}

beforeAll(async () => {
  const server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })
  const at = (id: Id<'application'>) => ({ token: member.token, params: { id } })
  const command = ['serve', `--password=${secretOf('command')}`]
  const plain = await makeApplication(db, workspace, server)
  await ok(updateApplication, { ...at(plain), body: { command } })
  await ok(entries.createVariable, { ...at(plain), body: { key: 'TOKEN', value: secretOf('env') } })
  await ok(entries.createLabel, { ...at(plain), body: { key: 'token', value: secretOf('label') } })
  const { project } = await ok(createProject, { token: member.token, body: { name: 'Shop' } })
  const inProject = { token: member.token, params: { id: project.id } }
  await ok(attachToProject, { ...inProject, body: { applications: [plain] } })
  await ok(createProjectVariable, { ...inProject, body: { key: 'SHARED', value: secretOf('inherited') } })
  const built = await makeApplication(db, workspace, server)
  await makeSource(db, workspace, built, {
    integration_id: null,
    repository_id: 1,
    repository: 'acme/shop',
    ...hiddenColumns(ctx, built, {
      build_args: [{ key: 'TOKEN', value: secretOf('arg') }],
      generated: `FROM scratch\nENV TOKEN=${secretOf('generated')}`,
    }),
  })
  const body = { name: 'File', server_id: server, source: { type: 'compose', compose, profiles: [] } }
  const made = (await ok(createApplication, { token: member.token, body })).application.id
  const deployments: string[] = []
  for (const [id, secrets] of [
    [plain, secretsOf.plain],
    [built, secretsOf.built],
    [made, secretsOf.made],
  ] as const) {
    await makeRelease(ctx, workspace, id, 1)
    deployments.push(await failed(id, server, secrets, true), await failed(id, server, secrets, false))
  }
  const alert = await makeAlert(db, workspace)
  const incident = newId('incident')
  const cause = {
    facts: ['Health check', 'Error', 'Processes'].map((label) => ({ label, value: said })),
    lines: [said],
  }
  const cause_sealed = sealCause(ctx, incident, cause)
  await makeIncident(db, workspace, alert, {
    id: incident,
    summary: said,
    cause_sealed,
    application_id: plain,
  })
  const notification = newId('notification')
  await db
    .insertInto('notifications')
    .values({ id: notification, workspace_id: workspace, name: 'Mail', type: 'email' })
    .execute()
  const message = { id: newId('message'), workspace_id: workspace, notification_id: notification }
  const sealed = ctx.secrets.seal('anything', '')
  await db
    .insertInto('messages')
    .values({
      ...message,
      key: 'a',
      kind: 'started',
      event: 'incident',
      severity: 'critical',
      title: said,
      incident_id: incident,
      content_sealed: sealed,
    })
    .execute()
  Object.assign(ids, {
    applications: [plain, built, made],
    github: [built],
    deployments,
    incidents: [incident],
    alerts: [alert],
    notifications: [notification],
    servers: [server],
    metrics: [server, plain],
    projects: [project.id],
  })
})

/** Creates a failed deployment that quotes its configuration. */
async function failed(
  application: Id<'application'>,
  server: Id<'server'>,
  secrets: readonly string[],
  isOver: boolean,
) {
  const said = quote(secrets)
  const env = JSON.stringify([{ key: 'OLD', value: secretOf('old') }])
  const errors = isOver ? [said] : [said, quote(['old'])]
  const given = { ...failedWith(ctx, errors), message: 'Deploy it' }
  const id = await makeDeployment(db, workspace, { id: application, server }, given)
  const sealed = {
    env_sealed: ctx.secrets.seal(deploymentEnvSealContext(id), env),
    compose_sealed: ctx.secrets.seal(
      deploymentComposeSealContext(id),
      JSON.stringify({ text: compose, profiles: [] }),
    ),
  }
  // A finished deployment stores no configuration.
  if (!isOver) await db.updateTable('deployments').set(sealed).where('id', '=', id).execute()
  const step = {
    workspace_id: workspace,
    deployment_id: id,
    position: 0,
    name: 'start',
    status: 'failed',
  } as const
  await db
    .insertInto('deployment_steps')
    .values({ ...step, error_sealed: sealStepError(ctx, id, said) })
    .execute()
  // A value can be split across two chunks.
  const secret = secretOf(secrets[0] ?? '')
  await appendOutput(ctx, db, workspace, id, [
    { stream: 'stdout', text: `${said}\nbuild: ${secret.slice(0, 9)}` },
    { stream: 'stdout', text: `${secret.slice(9)}\n` },
  ])
  return id
}

const readable = api.filter(
  ({ method, access, kind, path }) =>
    method === 'GET' && access.endsWith('.read') && kind !== 'socket' && path !== '/v1/live',
)

test.each(readable)('shows a viewer no possible secret through $key', async (endpoint) => {
  for (const id of namedBy(endpoint)) {
    const text = await read(
      endpoint,
      { id, env_id: id, hook: id, pull_id: newId('pull'), cid: 'none' },
      viewer.token,
    )
    expect(text).not.toMatch(/s3cr3t-|Zq81/)
  }
})

test('shows these values to members who manage applications', async () => {
  const [, built = ''] = ids['applications'] ?? []
  const of = (key: string) => readable.filter((one) => one.key === key)
  const seen = await Promise.all(
    [...of('GET /v1/applications/{id}'), ...of('GET /v1/deployments/{id}')].map((endpoint) =>
      read(
        endpoint,
        { id: endpoint.path.includes('deployments') ? (ids['deployments']?.at(-1) ?? '') : built },
        member.token,
      ),
    ),
  )
  expect(seen[0]).toContain(secretOf('arg'))
  expect(seen[1]).toContain(secretOf('compose-command'))
})

const namedBy = ({ path }: NamedEndpoint): string[] =>
  path.includes('{') ? (ids[path.split('/')[2] ?? ''] ?? [newId('application')]) : ['']

async function read(endpoint: NamedEndpoint, params: Record<string, string>, token: string): Promise<string> {
  if (endpoint.kind !== 'events') return (await slipway.call(endpoint.key, { token, params })).text
  const url = addressOf(await slipway.listen(), endpoint, { params })
  const stream = await openStream(url, { authorization: `Bearer ${token}` })
  await stream.untilEnded()
  return stream.text()
}
