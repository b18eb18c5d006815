import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import { needsSession } from '../../contract/endpoint.ts'
import { createStreamTicket } from '../../contract/live.ts'
import { roleAllows, permissions, type Role, roles } from '../../contract/shared/permissions.ts'
import { newToken } from '../../server/platform/tokens.ts'
import { addressOf, sendAny } from './any-endpoint.ts'
import type { CallResult, CallOptions } from '../support/clients/client.ts'
import { startSlipway, type TestSlipway } from '../support/stages/context.ts'
import {
  makeApiToken,
  makeInstanceOwner,
  makeInvite,
  makeSession,
  makeSomeone,
  makeUser,
  makeWorkspace,
  type Someone,
  unique,
} from '../support/factories/factories.ts'
import { isLong } from '../support/run/campaign.ts'
import { fingerprint } from '../support/stages/fingerprint.ts'
import { openStream } from '../support/clients/streams.ts'
import { startOutside } from './outside.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { validCalls } from './valid-calls.ts'
import { makeWorld, type World } from '../support/factories/world.ts'

const outside = await startOutside()
const host = await takeHost()
let slipway: TestSlipway
let url: string
/** One world per role, for calls that do not change it. */
let worlds: Record<Role, World>
/** The world of the owner. */
let shared: World
/** An owner of another workspace. */
let elsewhere: Someone
/** API tokens of the owner, one per role. */
let apiTokens: Record<Role, string>
let deadTokens: (string | undefined)[]
beforeAll(async () => {
  slipway = await startSlipway({ ...outside.env, DOCKER_SOCKET: host.dockerSocket() })
  url = await slipway.listen()
  worlds = await ofEachRole(world)
  shared = worlds.owner
  const { caller, workspace } = shared
  elsewhere = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
  apiTokens = await ofEachRole(
    async (role) => (await makeApiToken(slipway.db, workspace, caller, { role })).token,
  )
  const expires = new Date(Date.now() - 1000)
  const byApi = await makeApiToken(slipway.db, workspace, caller, { role: 'owner', expires })
  const bySession = await makeSession(slipway.db, caller, { workspace, expires })
  deadTokens = [undefined, '', newToken('slp'), "' or 1=1 --", bySession.token, byApi.token]
})
afterAll(async () => {
  await slipway.close()
  await outside.close()
})

const world = (role?: Role) => makeWorld({ slipway, ...outside, host }, role)
const ofEachRole = async <T>(make: (role: Role) => Promise<T>): Promise<Record<Role, T>> => ({
  viewer: await make('viewer'),
  member: await make('member'),
  admin: await make('admin'),
  owner: await make('owner'),
})
const send = (endpoint: NamedEndpoint, sent: CallOptions) => sendAny(slipway, url, endpoint, sent)
const said = ({ status, text }: CallResult) => `${status} ${text}`
const callOf = async (endpoint: NamedEndpoint, from: World): Promise<CallOptions> => {
  const make = validCalls[endpoint.key]
  if (!make) throw new Error(`${endpoint.key} is not covered: add it to valid-calls.ts.`)
  // A workspace with applications cannot be deleted.
  if (endpoint.name === 'deleteWorkspace' && !Object.values(worlds).includes(from))
    await slipway.db.deleteFrom('applications').where('workspace_id', '=', from.workspace).execute()
  return make(from)
}

/** Returns a valid call that is rejected, so that its objects can be reused by the next caller. */
const refusedCallOf = (endpoint: NamedEndpoint, from: World = shared): Promise<CallOptions> => {
  const name = `${endpoint.key} ${from.workspace}`
  const made = refusedCalls.get(name) ?? callOf(endpoint, from)
  refusedCalls.set(name, made)
  return made
}
const refusedCalls = new Map<string, Promise<CallOptions>>()

/** Calls that change no row another call needs can share a world, because a new one is slow. */
const leavesAsItIs = ({ method, area }: NamedEndpoint) =>
  method === 'GET' || ['containers', 'images', 'commands'].includes(area)
const worldFor = async (endpoint: NamedEndpoint, role: Role) =>
  leavesAsItIs(endpoint) ? worlds[role] : world(role)

test('covers every endpoint of the contract and no others', () => {
  expect(Object.keys(validCalls).sort()).toEqual(api.map(({ key }) => key).sort())
})

test('uses every permission in some endpoint', () => {
  const asked = new Set<string>(api.map(({ access }) => access))
  expect(Object.keys(permissions).filter((permission) => !asked.has(permission))).toEqual([])
})

test.each(api.filter(({ access }) => access === 'public'))('$key needs no token', async (endpoint) => {
  expect(said(await send(endpoint, await callOf(endpoint, await world())))).toMatch(/^[23]/)
})

const guarded = api.filter(({ access }) => access !== 'public')

test.each(guarded)('$key rejects missing, invalid and expired tokens', async (endpoint) => {
  const sent = await refusedCallOf(endpoint)
  const before = await fingerprint(slipway.db)
  for (const token of deadTokens) {
    const got = await send(endpoint, { ...sent, token })
    expect(got).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  }
  expect(await fingerprint(slipway.db)).toEqual(before)
})

const holds = ({ access }: NamedEndpoint, role: Role) =>
  access !== 'instance' && (access === 'public' || access === 'user' || roleAllows(role, access))
const everyPair = guarded.flatMap((endpoint) =>
  roles.map((role) => ({ key: endpoint.key, role, endpoint, allowed: holds(endpoint, role) })),
)
/** The lowest allowed and the highest rejected role; all others in the long run. */
const pairs = everyPair.filter(({ endpoint, role, allowed }) => {
  const neighbour = roles[roles.indexOf(role) + (allowed ? -1 : 1)]
  return isLong || neighbour === undefined || holds(endpoint, neighbour) !== allowed
})

test('grants every permission of a role to the roles above it', () => {
  const broken = everyPair.filter(
    ({ endpoint, role, allowed }) =>
      allowed && !roles.slice(roles.indexOf(role) + 1).every((above) => holds(endpoint, above)),
  )
  expect(broken).toEqual([])
})

describe('by session', () => {
  test.each(pairs.filter(({ allowed }) => allowed))('$role may $key', async ({ endpoint, role }) => {
    const there = await worldFor(endpoint, role)
    const sent = await callOf(endpoint, there)
    expect(said(await send(endpoint, { ...sent, token: there.caller.token }))).toMatch(/^[23]/)
  })

  test.each(pairs.filter(({ allowed }) => !allowed))('$role may not $key', async ({ endpoint, role }) => {
    const there = worlds[role]
    const sent = await refusedCallOf(endpoint, there)
    const before = await fingerprint(slipway.db)
    const got = await send(endpoint, { ...sent, token: there.caller.token })
    expect(got).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })
})

describe('by API token', () => {
  const [open, closed] = [true, false].map((wanted) =>
    pairs.filter(({ endpoint, allowed }) => (allowed && !needsSession(endpoint)) === wanted),
  )
  test.each(open ?? [])("an owner's token as $role may $key", async ({ endpoint, role }) => {
    const there = await worldFor(endpoint, 'owner')
    const sent = await callOf(endpoint, there)
    const { token } = await makeApiToken(slipway.db, there.workspace, there.caller, { role })
    expect(said(await send(endpoint, { ...sent, token }))).toMatch(/^[23]/)
  })

  test.each(closed ?? [])("an owner's token as $role may not $key", async ({ endpoint, role }) => {
    const sent = await refusedCallOf(endpoint)
    const before = await fingerprint(slipway.db)
    const got = await send(endpoint, { ...sent, token: apiTokens[role] })
    const code = needsSession(endpoint) ? 'session_needed' : 'forbidden'
    expect(got).toMatchObject({ status: 403, body: { code } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })
})

describe('an instance owner', () => {
  const ofInstance = guarded.filter(({ access }) => access === 'instance')
  const ownedWorld = async () => {
    // The lowest role, so that no permission comes from the workspace.
    const there = await world('viewer')
    await makeInstanceOwner(slipway.db, there.caller)
    return there
  }

  test.each(ofInstance)('may $key in a session', async (endpoint) => {
    const there = await ownedWorld()
    const sent = await callOf(endpoint, there)
    expect(said(await send(endpoint, { ...sent, token: there.caller.token }))).toMatch(/^[23]/)
  })

  test.each(ofInstance)('may not $key with an API token', async (endpoint) => {
    const there = await ownedWorld()
    const { token } = await makeApiToken(slipway.db, there.workspace, there.caller, { role: 'owner' })
    const sent = await callOf(endpoint, there)
    const before = await fingerprint(slipway.db)
    const got = await send(endpoint, { ...sent, token })
    expect(got).toMatchObject({ status: 403, body: { code: 'session_needed' } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test.each(ofInstance)('may not $key after the flag is removed', async (endpoint) => {
    const { caller, ...there } = await ownedWorld()
    const sent = await callOf(endpoint, { ...there, caller })
    await slipway.db.updateTable('users').set({ instance_owner: false }).where('id', '=', caller.id).execute()
    const got = await send(endpoint, { ...sent, token: caller.token })
    expect(got).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})

describe('a user of another workspace', () => {
  test.each(guarded)('sees nothing of the workspace through $key', async (endpoint) => {
    const sent = await stolen(endpoint)
    const home = await makeWorkspace(slipway.db)
    const stranger = await makeSomeone(slipway.db, home, 'owner')
    const got = await send(endpoint, { ...sent, token: stranger.token })
    const { workspace, caller, target, application, server, name } = shared
    for (const theirs of [workspace, caller.id, target.id, application, server, name])
      expect(got.text).not.toContain(theirs)
  })

  test.each(guarded.filter(({ method }) => method === 'GET'))(
    'reads only their own data through $key',
    async (endpoint) => {
      const home = await makeWorkspace(slipway.db)
      const stranger = await makeSomeone(slipway.db, home, 'owner')
      const got = await send(endpoint, { token: stranger.token })
      const ids = got.text.match(/\b[a-z]{3}_[0-9a-z]{26}\b/g) ?? []
      const own: string[] = [home, stranger.id, stranger.member, stranger.session]
      expect(ids.filter((id) => !own.includes(id))).toEqual([])
    },
  )

  test.each(guarded.filter(({ access }) => access !== 'instance').filter(namesSomething))(
    'gets not found from $key',
    async (endpoint) => {
      const sent = await stolen(endpoint)
      const before = await fingerprint(slipway.db)
      expect(said(await send(endpoint, { ...sent, token: elsewhere.token }))).toMatch(/^404|"total":0/)
      expect(await fingerprint(slipway.db)).toEqual(before)
    },
  )
})

describe('a user without a workspace', () => {
  const inWorkspace = guarded.filter(({ access }) => access !== 'user' && access !== 'instance')
  test.each(inWorkspace)('gets no_workspace from $key', async (endpoint) => {
    const { token } = await makeSession(slipway.db, await makeUser(slipway.db))
    const got = await send(endpoint, { ...(await stolen(endpoint)), token })
    expect(got).toMatchObject({ status: 404, body: { code: 'no_workspace' } })
  })

  test.each(guarded.filter(({ access }) => access === 'user'))('can call $key', async (endpoint) => {
    const { token } = await makeSession(slipway.db, await makeUser(slipway.db))
    const got = await send(endpoint, { ...(await stolen(endpoint)), token })
    expect(said(got)).not.toMatch(/^40[13]/)
  })
})

/** Checks whether a call names an object by ID or token. */
function namesSomething({ name, params, query, body }: NamedEndpoint): boolean {
  // A cloud token is stored and grants no access here.
  if (name === 'createCloudToken') return false
  // Plans are the same for all workspaces.
  const named = (shape: object) => Object.keys(shape).filter((field) => !field.endsWith('plan_id'))
  const fields = named({ ...params?.shape, ...body?.shape })
  const filters = named(query?.shape ?? {})
  return (
    fields.some((field) => /^(id|token|.*_id)$/.test(field)) ||
    filters.some((filter) => filter.endsWith('_id'))
  )
}

/** Returns a call with the IDs of another workspace, and an invite for another user. */
async function stolen(endpoint: NamedEndpoint): Promise<CallOptions> {
  if (endpoint.name === 'changeWorkspace') return { params: { id: shared.workspace } }
  if (endpoint.name === 'acceptInvite') {
    const { token } = await makeInvite(slipway.ctx, shared.workspace, {
      email: `${unique('guest')}@example.com`,
    })
    return { body: { token } }
  }
  return refusedCallOf(endpoint)
}

describe('stream tickets', () => {
  const live = api.filter(({ kind }) => kind === 'events')
  test.each(live)('opens $key once, for the user who requested the ticket', async (endpoint) => {
    const there = worlds.member
    const sent = await callOf(endpoint, there)
    const { ticket } = await slipway.ok(createStreamTicket, { token: there.caller.token })
    const query = { ...sent.query, token: ticket }
    const stream = await openStream(addressOf(url, endpoint, { ...sent, query }))
    expect(stream.status).toBe(200)
    await stream.event('connected')
    expect(await send(endpoint, { ...sent, query })).toMatchObject({ status: 401 })
  })

  test.each(live)('opens $key for thirty seconds only', async (endpoint) => {
    const there = worlds.viewer
    const asked = Date.now()
    const { ticket, expires_at } = await slipway.ok(createStreamTicket, { token: there.caller.token })
    const lasts = Date.parse(expires_at) - 30_000
    expect(lasts).toBeGreaterThan(asked - 1_000)
    expect(lasts).toBeLessThan(Date.now() + 1_000)
    await slipway.db
      .updateTable('stream_tickets')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    expect(await send(endpoint, { query: { token: ticket } })).toMatchObject({ status: 401 })
  })

  test.each(live)('does not open $key after the session of the ticket ended', async (endpoint) => {
    const there = await world('viewer')
    const { ticket } = await slipway.ok(createStreamTicket, { token: there.caller.token })
    await slipway.call('POST /v1/auth/logout', { token: there.caller.token })
    expect(await send(endpoint, { query: { token: ticket } })).toMatchObject({ status: 401 })
  })

  test('is accepted by streams only', async () => {
    const there = worlds.viewer
    const { ticket } = await slipway.ok(createStreamTicket, { token: there.caller.token })
    expect(await slipway.call('GET /v1/user', { token: ticket })).toMatchObject({ status: 401 })
    expect(await slipway.call('GET /v1/user', { query: { token: there.caller.token } })).toMatchObject({
      status: 401,
    })
  })
})
