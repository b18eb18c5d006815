import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type NamedEndpoint } from '../contract/api.ts'
import { needsSession } from '../contract/endpoint.ts'
import type { Id } from '../contract/shared/ids.ts'
import { createStreamTicket } from '../contract/live.ts'
import { type Scope, scopeIncludes, scopes } from '../contract/shared/permissions.ts'
import { createProject } from '../contract/projects.ts'
import { createVariable } from '../contract/application-entries.ts'
import { updateApplication } from '../contract/applications.ts'
import { nudge } from '../server/events.ts'
import { newId } from '../server/platform/ids.ts'
import { addressOf, sendAny } from './access/any-endpoint.ts'
import { makeApplication, makeDeployment, makeRelease } from './support/factories/application-factories.ts'
import type { CallOptions } from './support/clients/client.ts'
import { startSlipway, type TestSlipway } from './support/stages/context.ts'
import {
  makeApiToken,
  makeCommand,
  makeServer,
  makeTeam,
  nowhere,
  unique,
} from './support/factories/factories.ts'
import { fingerprint } from './support/stages/fingerprint.ts'
import { openStream } from './support/clients/streams.ts'

/** Creates an application in its own project, with one object of every kind. */
interface Part {
  project: Id<'project'>
  application: Id<'application'>
  deployment: Id<'deployment'>
  container: string
  command: Id<'command'>
  name: string
}

let slipway: TestSlipway
let url: string
let team: Awaited<ReturnType<typeof makeTeam>>
let server: Id<'server'>
let mine: Part
let other: Part
/** API tokens of the owner with the scope manage, limited to the application or project. */
let limited: Record<'application' | 'project', string>
beforeAll(async () => {
  slipway = await startSlipway()
  url = await slipway.listen()
  team = await makeTeam(slipway.db)
  server = await makeServer(slipway.ctx, team.workspace, nowhere())
  mine = await makePart()
  other = await makePart()
  limited = {
    application: await tokenOf({ applications: [mine.application] }),
    project: await tokenOf({ projects: [mine.project] }),
  }
})
afterAll(() => slipway.close())

const tokenOf = async (given: Partial<Parameters<typeof makeApiToken>[3]>) =>
  (await makeApiToken(slipway.db, team.workspace, team.owner, { role: 'owner', ...given })).token

async function makePart(): Promise<Part> {
  const { db } = slipway
  const of = { workspace_id: team.workspace, server_id: server }
  const name = unique('part')
  const project = newId('project')
  await db.insertInto('projects').values({ id: project, workspace_id: team.workspace, name }).execute()
  const application = await makeApplication(db, team.workspace, server, { name, project_id: project })
  const deployment = await makeDeployment(db, team.workspace, { id: application, server })
  const release_id = await makeRelease(slipway.ctx, team.workspace, application, 1)
  const container = unique('container')
  const instance = { application_id: application, deployment_id: deployment, release_id, replica: 1 }
  await db
    .insertInto('instances')
    .values({ id: newId('instance'), ...of, ...instance, container_id: container, state: 'serving' })
    .execute()
  const command = await makeCommand(slipway.ctx, team.workspace, server, {
    container_id: container,
    as_root: false,
  })
  return { project, application, deployment, container, command, name }
}

/** Returns a call about these objects, without a body, because authorization comes first. */
function callAbout({ resource, path }: NamedEndpoint, part: Part): CallOptions {
  const ids: Partial<Record<string, string>> = {
    application: part.application,
    project: part.project,
    deployment: part.deployment,
  }
  const id = ids[resource ?? ''] ?? server
  const named = { id, cid: part.container, command_id: part.command }
  const params = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Object(named)[name] ?? 'any']),
  )
  return { params, ...(resource === 'containers' && { query: { containers: part.container } }) }
}

const send = (endpoint: NamedEndpoint, sent: CallOptions) => sendAny(slipway, url, endpoint, sent)
const guarded = api.filter(({ access }) => access !== 'public')
const byToken = guarded.filter((endpoint) => !needsSession(endpoint))
const naming = byToken.filter(({ resource }) => !['none', 'filtered'].includes(resource ?? ''))
const kinds = ['application', 'project'] as const

/** Calls all endpoints and returns those that responded with another code. */
async function answeringElse(endpoints: readonly NamedEndpoint[], code: string, part: Part, token: string) {
  const others: string[] = []
  for (const endpoint of endpoints) {
    const got = await send(endpoint, { ...callAbout(endpoint, part), token })
    if (!(got.status === 403 && Object(got.body).code === code)) others.push(`${endpoint.key} ${got.text}`)
  }
  return others
}

describe('an API token with a scope', () => {
  const isEnough = ({ access }: NamedEndpoint, scope: Scope) =>
    access === 'public' || access === 'user' || access === 'instance' || scopeIncludes(scope, access)

  test.each(scopes)('%s is rejected by every endpoint that needs more', async (scope) => {
    const token = await tokenOf({ scope })
    const before = await fingerprint(slipway.db)
    const others = byToken.filter((endpoint) => !isEnough(endpoint, scope))
    expect(await answeringElse(others, 'scope_too_narrow', mine, token)).toEqual([])
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test.each(scopes)('%s is accepted where it is sufficient', async (scope) => {
    const token = await tokenOf({ scope })
    // Docker Hub is not called here.
    const reading = byToken.filter(
      ({ method, kind, path }) => method === 'GET' && !kind && !path.startsWith('/v1/docker'),
    )
    for (const endpoint of reading.filter((one) => isEnough(one, scope)))
      expect((await send(endpoint, { params: {}, token })).text).not.toContain('scope_too_narrow')
  })

  test('reads environment values only with the scope manage', async () => {
    const params = { id: mine.application }
    const body = { key: 'SECRET', value: 'hunter2' }
    await slipway.ok(createVariable, { params, body, token: team.owner.token })
    for (const scope of scopes) {
      const sent = { params, query: { values: 'true' }, token: await tokenOf({ scope }) }
      const { text } = await slipway.call('GET /v1/applications/{id}/env', sent)
      expect(text.includes('hunter2')).toBe(scope === 'manage')
    }
  })

  test('is rejected where a session is required', async () => {
    const token = await tokenOf({ scope: 'manage' })
    const before = await fingerprint(slipway.db)
    expect(await answeringElse(guarded.filter(needsSession), 'session_needed', mine, token)).toEqual([])
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test.each([
    'POST /v1/workspaces/invite',
    'PUT /v1/workspaces/members/{id}',
    'POST /v1/workspaces/members/remove',
    'DELETE /v1/workspaces/current',
    'POST /v1/api-tokens',
    'PUT /v1/user/password',
  ])('needs a session for %s', (key) => {
    expect(guarded.filter(needsSession).map((endpoint) => endpoint.key)).toContain(key)
  })
})

describe.each(kinds)('an API token limited to one %s', (kind) => {
  test('is rejected for other resources by every endpoint', async () => {
    const before = await fingerprint(slipway.db)
    expect(await answeringElse(naming, 'token_limited', other, limited[kind])).toEqual([])
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test('lists only its resources', async () => {
    const token = limited[kind]
    const queries: Record<string, string>[] = [
      {},
      { application_id: other.application },
      { project_id: other.project },
    ]
    for (const endpoint of byToken.filter((one) => one.resource === 'filtered' && !one.kind))
      for (const query of queries) {
        const names = Object.keys(endpoint.query?.shape ?? {})
        const known = Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
        const { status, text } = await send(endpoint, { query: known, token })
        expect(status).toBe(200)
        expect(text).not.toMatch(new RegExp(`${other.application}|${other.project}|${other.name}`))
      }
    const { body } = await slipway.call('GET /v1/applications', { token })
    expect(body).toMatchObject({ applications: [{ id: mine.application }], page: { total: 1 } })
    const deployments = await slipway.call('GET /v1/deployments', { token })
    expect(deployments.body).toMatchObject({ deployments: [{ id: mine.deployment }], page: { total: 1 } })
  })

  test('can do what its scope allows on its resources', async () => {
    const token = limited[kind]
    const params = { id: mine.application }
    await slipway.ok(updateApplication, { params, body: { name: mine.name }, token })
    const names = [
      'getApplication',
      'listVariables',
      'listReleases',
      'getDeployment',
      'getCommand',
      'getProject',
    ]
    for (const endpoint of naming.filter((one) => names.includes(one.name) && one.resource))
      expect(await send(endpoint, { ...callAbout(endpoint, mine), token })).toMatchObject({
        status: endpoint.resource === 'project' && kind === 'application' ? 403 : 200,
      })
  })

  test('opens no stream or socket of other resources with a ticket', async () => {
    const token = limited[kind]
    const live = naming.filter((endpoint) => endpoint.kind === 'events' || endpoint.kind === 'socket')
    expect(live.length).toBeGreaterThan(4)
    for (const endpoint of live) {
      const { ticket } = await slipway.ok(createStreamTicket, { token })
      const sent = callAbout(endpoint, other)
      const got = await send(endpoint, { ...sent, query: { ...sent.query, token: ticket } })
      expect(got).toMatchObject({ status: 403, body: { code: 'token_limited' } })
    }
  })

  test('receives only live events of its resources', async () => {
    const stream = await openStream(`${url}/v1/live`, { authorization: `Bearer ${limited[kind]}` })
    await stream.event('connected')
    await nudge(slipway.db, team.workspace, 'server.changed', server)
    await nudge(slipway.db, team.workspace, 'application.changed', other.application)
    await nudge(slipway.db, team.workspace, 'application.changed', mine.application)
    await stream.event('application.changed')
    expect(stream.text()).toContain(mine.application)
    expect(stream.text()).not.toMatch(new RegExp(`${other.application}|${server}`))
  })
})

test('does not let a limited API token mount server folders', async () => {
  const got = await slipway.call('POST /v1/applications/{id}/volumes', {
    params: { id: mine.application },
    body: { source: '/etc', target: '/host' },
    token: limited.application,
  })
  expect(got).toMatchObject({ status: 403 })
})

test('revokes access as soon as an application leaves the project', async () => {
  const part = await makePart()
  const token = await tokenOf({ projects: [part.project] })
  const sent = { params: { id: part.application }, token }
  expect(await slipway.call('GET /v1/applications/{id}', sent)).toMatchObject({ status: 200 })
  await slipway.db
    .updateTable('applications')
    .set({ project_id: null })
    .where('id', '=', part.application)
    .execute()
  expect(await slipway.call('GET /v1/applications/{id}', sent)).toMatchObject({ status: 403 })
})

test('does not return the response of another caller for the same idempotency key', async () => {
  const sent = { body: { name: 'Harbour' }, headers: { 'idempotency-key': unique('key') } }
  const first = await slipway.ok(createProject, { ...sent, token: team.owner.token })
  const second = await slipway.ok(createProject, { ...sent, token: await tokenOf({ scope: 'manage' }) })
  expect(second.project.id).not.toBe(first.project.id)
  await slipway.refused(createProject, { ...sent, token: limited.project }, 403, 'token_limited')
})

describe('a token in the query', () => {
  const taking = api.filter(({ query }) => query?.shape['token'] !== undefined)
  const statusOf = async (endpoint: NamedEndpoint, token: string) => {
    const sent = callAbout(endpoint, mine)
    // The server does not exist, so that no connection is needed.
    const params = sent.params && { ...sent.params, id: 'none' }
    return (await send(endpoint, { ...sent, ...(params && { params }), query: { ...sent.query, token } }))
      .status
  }

  test('rejects API tokens', async () => {
    const token = await tokenOf({ scope: 'manage' })
    for (const endpoint of taking) expect(await statusOf(endpoint, token)).toBe(401)
  })

  test('accepts a session token only for container logs', async () => {
    const taken: string[] = []
    for (const endpoint of taking)
      if ((await statusOf(endpoint, team.owner.token)) !== 401) taken.push(endpoint.key)
    expect(taken).toEqual(['GET /v1/servers/{id}/containers/{cid}/logs'])
  })

  test('accepts a ticket only for its path', async () => {
    const token = team.owner.token
    const { ticket } = await slipway.ok(createStreamTicket, { token, body: { path: '/v1/live' } })
    const logs = api.find(({ name }) => name === 'streamDeploymentLogs')
    if (!logs) throw new Error('There is such a stream.')
    expect(await statusOf(logs, ticket)).toBe(401)
    const live = await openStream(`${url}/v1/live?token=${ticket}`)
    expect(live.status).toBe(200)
    expect((await openStream(`${url}/v1/live?token=${ticket}`)).status).toBe(401)
  })

  test('rejects a stream path that is longer than the path of the ticket', async () => {
    const token = team.owner.token
    const { ticket } = await slipway.ok(createStreamTicket, { token, body: { path: '/v1/liv' } })
    const live = api.find(({ name }) => name === 'streamLive')
    if (!live) throw new Error('There is such a stream.')
    const { status } = await openStream(addressOf(url, live, { query: { token: ticket } }))
    expect(status).toBe(401)
  })
})
