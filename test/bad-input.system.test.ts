import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { api, type NamedEndpoint } from '../contract/api.ts'
import { maxBodyBytes } from '../contract/endpoint.ts'
import { maxComposeLength, maxTemplateLength } from '../contract/shared/compose-limits.ts'
import { newId } from '../server/platform/ids.ts'
import { someOf, times } from './support/run/campaign.ts'
import { expectProblem, type CallResult, type CallOptions } from './support/clients/client.ts'
import { startSlipway, type TestSlipway } from './support/stages/context.ts'
import { fingerprint } from './support/stages/fingerprint.ts'
import { startOutside } from './access/outside.ts'
import { takeHost } from './support/stages/take-host.ts'
import { validCalls } from './access/valid-calls.ts'
import { makeInstanceOwner } from './support/factories/factories.ts'
import { makeWorld, type World } from './support/factories/world.ts'

const outside = await startOutside()
const host = await takeHost()
let slipway: TestSlipway
let world: World
beforeAll(async () => {
  slipway = await startSlipway({ ...outside.env, DOCKER_SOCKET: host.dockerSocket() })
  world = await makeOwnedWorld()
})
afterAll(async () => {
  await slipway.close()
  await outside.close()
})

/** Creates a world whose caller may call every endpoint. */
async function makeOwnedWorld(): Promise<World> {
  const made = await makeWorld({ slipway, ...outside, host })
  await makeInstanceOwner(slipway.db, made.caller)
  return made
}

/** Returns a call that would succeed. Its objects are created first, so that only the call changes anything. */
const validCall = async ({ key }: NamedEndpoint, there = world): Promise<CallOptions> => ({
  token: there.caller.token,
  ...(await validCalls[key]?.(there)),
})

/** Returns the same call for every test of an endpoint: rejected calls leave its objects unchanged. */
const refusedCall = (endpoint: NamedEndpoint): Promise<CallOptions> => {
  const made = refusedCalls.get(endpoint.key) ?? validCall(endpoint)
  refusedCalls.set(endpoint.key, made)
  return made
}
const refusedCalls = new Map<string, Promise<CallOptions>>()

const withBody = api.filter(({ body }) => body)
const withQuery = api.filter(({ query, kind }) => query && kind !== 'events')
const withParams = api.filter(({ params }) => params)

const said = ({ status, text: words }: CallResult) => `${status} ${words.slice(0, 300)}`

let turn = 0

/** Expects each call to be rejected with this status and to change nothing. The short run sends two of them. */
async function expectRefused(endpoint: NamedEndpoint, calls: CallOptions[], status: RegExp): Promise<void> {
  await quiet()
  const before = await fingerprint(slipway.db)
  for (const call of someOf(calls, 2, turn++)) {
    const got = await slipway.call(endpoint.key, call)
    expect(said(got)).toMatch(status)
    expectProblem(got)
  }
  expect(await fingerprint(slipway.db)).toEqual(before)
}

/** Waits for commands that an earlier test started. */
const quiet = () =>
  vi.waitFor(
    async () => {
      const running = slipway.db.selectFrom('commands').select('id').where('status', '=', 'running')
      expect(await running.where('followed_until', '>', new Date()).execute()).toEqual([])
    },
    { timeout: 120_000 },
  )

const nasty = {
  null: '\0',
  'null inside': 'a\0b',
  'half a surrogate': '\ud800',
  'the other half': 'a\udc00',
  escape: '\u001b[2J',
}

/** A hook does not reveal whether it exists. */
const ifUnknown = ({ raw }: NamedEndpoint) => (raw ? /^401/ : /^404/)

const wrongTypes = [null, 1, -0.5, true, [], ['x'], {}, { $ne: null }, [[]]]

describe('request body', () => {
  test.each(withBody)('$key rejects a body that is not an object', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const bodies = ['null', '[]', '[{}]', '1', '-0', '"text"', 'true']
    // If every field is optional, an empty body is valid too.
    const nothing = endpoint.body?.safeParse({}).success ? [] : ['{}', '', undefined]
    await expectRefused(
      endpoint,
      [...bodies, ...nothing].map((raw) => ({ ...call, body: undefined, raw })),
      /^422/,
    )
  })

  test.each(withBody)('$key rejects an unparsable body', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const whole = JSON.stringify(call.body)
    const bodies = [
      '{',
      'hello',
      '<xml/>',
      `${whole}x`,
      '{"a":1,}',
      "{'a':1}",
      'a=1&b=2',
      '{"__proto__":{"role":"owner"}}',
      `{"__proto__":null,${whole.slice(1)}`,
      '{"constructor":{"prototype":{"role":"owner"}}}',
      Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
      // Valid JSON except for one byte that is not UTF-8.
      Buffer.from(whole.replace(/}$/, ',"\u00ff":1}'), 'latin1'),
      '['.repeat(5_000),
      `{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}`,
    ]
    await expectRefused(
      endpoint,
      bodies.map((raw) => ({ ...call, body: undefined, raw })),
      /^400/,
    )
  })

  test.each(withBody)('$key rejects another content type', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']
    await expectRefused(
      endpoint,
      types.map((type) => ({ ...call, headers: { ...call.headers, 'content-type': type } })),
      /^415/,
    )
  })

  test.each(withBody)('$key rejects a body that is too large', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const raw = `{"name":"${'x'.repeat(maxBodyBytes(endpoint) - 10)}"}`
    await expectRefused(endpoint, [{ ...call, body: undefined, raw }], /^413/)
  })

  const fields = withBody.flatMap((endpoint) =>
    Object.entries(endpoint.body?.shape ?? {}).map(([field, schema]) => ({
      key: endpoint.key,
      endpoint,
      field,
      optional: schema.safeParse(undefined).success,
      wrong: wrongTypes.filter((value) => !schema.safeParse(value).success),
    })),
  )

  test.each(fields)('$key rejects a wrong type of $field', async ({ endpoint, field, wrong }) => {
    const call = await refusedCall(endpoint)
    expect(wrong.length).toBeGreaterThan(5)
    const calls = wrong.map((value) => ({ ...call, body: { ...Object(call.body), [field]: value } }))
    await expectRefused(endpoint, calls, /^422.*errors/)
  })

  test.each(fields.filter(({ optional }) => !optional))('$key requires $field', async (given) => {
    const call = await refusedCall(given.endpoint)
    const { [given.field]: _, ...rest } = Object(call.body)
    const before = await fingerprint(slipway.db)
    const got = await slipway.call(given.key, { ...call, body: rest })
    expect(got).toMatchObject({ status: 422, body: { errors: { [given.field]: ['Is required.'] } } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  /** Passwords accept any characters; all other fields are plain text. */
  const texts = fields.filter(({ field }) => !field.includes('password'))
  test.each(texts)('$key rejects control characters and long text in $field', async ({ endpoint, field }) => {
    const call = await refusedCall(endpoint)
    // A compose file may be long; a public endpoint accepts 16 kB in total.
    const most = field === 'compose' ? maxComposeLength : maxTemplateLength
    const long = 'x'.repeat(endpoint.access === 'public' ? 15_000 : most + 1)
    const calls = Object.values({ ...nasty, long }).map((value) => ({
      ...call,
      body: { ...Object(call.body), [field]: value },
    }))
    await expectRefused(endpoint, calls, /^422.*errors/)
  })

  test.each(withBody)('$key rejects an unknown field', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const unknown = [
      'role_',
      'id ',
      'workspace_id',
      'toString',
      'hasOwnProperty',
      '\0',
      '😀',
      'x'.repeat(5_000),
    ].filter((name) => !Object.hasOwn(endpoint.body?.shape ?? {}, name))
    const calls = unknown.map((name) => ({ ...call, body: { ...Object(call.body), [name]: 'x' } }))
    await expectRefused(endpoint, calls, /^422.*Unknown field/)
  })

  test.each(withBody)('$key responds to a random body without a server error', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const names = Object.keys(endpoint.body?.shape ?? {})
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.jsonValue(),
      fc.constant(undefined),
    )
    const body = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const raw = JSON.stringify(given).replaceAll('__proto__', 'proto')
        const got = await slipway.call(endpoint.key, { ...call, body: undefined, raw })
        expect(said(got)).toMatch(/^(2|40[0134]|409|422|429)/)
        expectProblem(got.status < 300 ? { ...got, status: 422, body: { errors: { x: ['X.'] } } } : got)
      }),
      { numRuns: times(5, 200) },
    )
  })
})

describe('query string', () => {
  test.each(withQuery)('$key rejects an unknown query field', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const unknown = ['workspace_id', 'constructor', 'order by', '😀']
    const calls = unknown.map((name) => ({ ...call, query: { ...call.query, [name]: 'x' } }))
    await expectRefused(endpoint, calls, /^422/)
  })

  const fields = withQuery.flatMap((endpoint) =>
    Object.keys(endpoint.query?.shape ?? {}).map((field) => ({ key: endpoint.key, endpoint, field })),
  )
  test.each(fields)('$key rejects invalid text in the query field $field', async ({ endpoint, field }) => {
    const call = await refusedCall(endpoint)
    const values = ['\0', '\u001b', 'x'.repeat(100_000), ['a', 'b']]
    const calls = values.map((value) => ({ ...call, query: { ...call.query, [field]: value } }))
    await expectRefused(endpoint, calls, /^422/)
  })

  const paged = withQuery.filter(({ query }) => 'limit' in (query?.shape ?? {}))
  test.each(paged)('$key rejects a limit out of range', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const limits = ['0', '-1', '201', '1.5', 'NaN', 'Infinity', '1e99', 'ten', '', ' ', '1; drop table users']
    await expectRefused(
      endpoint,
      limits.map((limit) => ({ ...call, query: { ...call.query, limit } })),
      /^422/,
    )
  })

  test.each(paged)('$key rejects a malformed cursor and pages with a forged one', async (endpoint) => {
    // An earlier random request may have switched the caller to another workspace.
    const call = await validCall(endpoint, await makeOwnedWorld())
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      'x',
      encode(['']),
      encode(['', '']),
      encode(['\0', '\0']),
      encode(['\ud800', 'a', 'b']),
      encode([1, 2]),
      encode([null]),
      encode({ length: 1 }),
      encode(["'; drop table users; --"]),
      encode(["' or '1'='1", 'x']),
      encode(['%', '_', '\\']),
      'x'.repeat(200),
    ]
    for (const cursor of someOf(forged, 4, turn++)) {
      const got = await slipway.call(endpoint.key, { ...call, query: { ...call.query, cursor } })
      expect(said(got)).toMatch(/^(200|422)/)
    }
    const nonsense = await slipway.call(endpoint.key, { ...call, query: { ...call.query, cursor: 'x' } })
    expect(said(nonsense)).toMatch(/^422/)
  })

  // Audit entries contain names with special characters, so a search finds them.
  const searched = withQuery.filter(
    ({ query, area }) => ['q', 'cursor'].every((name) => name in (query?.shape ?? {})) && area !== 'audit',
  )
  test.each(searched)('$key searches for the literal text', async (endpoint) => {
    const call = await validCall(endpoint, await makeOwnedWorld())
    const searches = ['%', '_', '\\', "'", '"; --', '$(reboot)', '`id`', '${x}', '\u{1F600}', '\\%']
    // Repeated, because a random body above may have created a name that contains a single one.
    for (const q of searches.map((text) => text.repeat(4)))
      expect((await slipway.call(endpoint.key, { ...call, query: { ...call.query, q } })).body).toMatchObject(
        {
          page: { total: 0 },
        },
      )
  })

  test('responds to a time out of range without a server error', async () => {
    const times = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', `2030-01-01T00:00:00.${'1'.repeat(300)}Z`]
    for (const since of times) {
      const { token } = world.caller
      const got = await slipway.call('GET /v1/deployments', { token, query: { since } })
      expect(said(got)).toMatch(/^(200|422)/)
    }
  })
})

describe('URL', () => {
  const forged = [
    'x',
    'usr_',
    "' or 1=1 --",
    '../../etc/passwd',
    '$(reboot)',
    '%00',
    '😀',
    '[object Object]',
    '-1',
  ]
  /** Replaces one parameter at a time and keeps the others valid. */
  const forgeries = ({ params }: NamedEndpoint, call: CallOptions, ids: string[]): CallOptions[] =>
    Object.keys(params?.shape ?? {}).flatMap((name) =>
      ids.map((id) => ({ ...call, params: { ...call.params, [name]: id } })),
    )

  test.each(withParams)('$key finds nothing for a forged ID', async (endpoint) => {
    const call = await refusedCall(endpoint)
    // IDs of another type, including one that no path accepts.
    // Instance owners manage every user, so the caller's own ID is valid there.
    const other = endpoint.access === 'instance' ? [] : [world.caller.id]
    const ids = [...forged, 'x'.repeat(64), ...other, newId('event')]
    // An enum parameter is not an ID: other values are rejected with the list of valid ones.
    const chosen = Object.entries(endpoint.params?.shape ?? {}).filter(([, it]) => it instanceof z.ZodEnum)
    const isChosen = ({ params }: CallOptions) =>
      chosen.some(([name]) => params?.[name] !== call.params?.[name])
    const calls = forgeries(endpoint, call, ids)
    await expectRefused(endpoint, calls.filter(isChosen), /^422.*Must be one of/)
    await expectRefused(
      endpoint,
      calls.filter((one) => !isChosen(one)),
      ifUnknown(endpoint),
    )
  })

  test.each(withParams)('$key rejects control characters and long text in the path', async (endpoint) => {
    const call = await refusedCall(endpoint)
    const ids = ['\0', 'a\0b', '\u001b', 'x'.repeat(90), 'x'.repeat(100_000)]
    await expectRefused(endpoint, forgeries(endpoint, call, ids), /^(401|404|422)/)
  })

  test.each(['/v1/user/sessions/%', '/v1/user/sessions/%ff', '/v1/%c0%80', '/v1/projects?q=%ff'] as const)(
    'rejects a malformed URL: %s',
    async (path) => {
      const got = await slipway.call(`DELETE ${path}` as 'DELETE /v1/x', { token: world.caller.token })
      expect(said(got)).toMatch(/^40[04]/)
      expectProblem(got)
    },
  )

  test('responds with not found to an unknown path or method', async () => {
    for (const key of ['GET /v1/nothing', 'DELETE /v1/user', 'POST /v1/user', 'GET /v1/User'] as const) {
      const got = await slipway.call(key, { token: world.caller.token })
      expect(said(got)).toMatch(/^404/)
      expectProblem(got)
    }
  })
})

test('rejects an invalid registry host without a request', async () => {
  for (const host of ['a.b:99999', '1.2.3.999', 'xn--a.example', '1.2.3.4.5']) {
    const token = world.caller.token
    const body = { name: 'Ours', host, username: 'ada', password: 'x' }
    const query = { repo_name: `${host}/x` }
    expect(said(await slipway.call('POST /v1/registries', { token, body }))).toMatch(/^422.*"host"/)
    expect(said(await slipway.call('GET /v1/docker/search/tags', { token, query }))).toMatch(
      /^422.*"repo_name"/,
    )
  }
})

test('stores emoji and every script unchanged', async () => {
  const name = '🏳️‍🌈 Ünïcödé 船台 סלипвей'
  const sent = { token: world.caller.token, body: { name } }
  expect((await slipway.call('PUT /v1/user', sent)).body).toMatchObject({ user: { name } })
  expect((await slipway.call('PUT /v1/workspaces/current', sent)).body).toMatchObject({ workspace: { name } })
})

test('stores quotes, SQL and shell characters unchanged', async () => {
  for (const name of ["Robert'); drop table users; --", '$(reboot)', '`id`', '\\', '{{7*7}}', '<b>&amp;']) {
    const got = await slipway.call('PUT /v1/user', { token: world.caller.token, body: { name } })
    expect(got.body).toMatchObject({ user: { name } })
  }
})
