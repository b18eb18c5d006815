import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/api.ts'
import { maxBodyBytes } from '../../contract/endpoint.ts'
import { startSlipway, type TestSlipway } from '../../test/support/stages/context.ts'
import { makeTeam } from '../../test/support/factories/factories.ts'

let slipway: TestSlipway
let token: string
beforeAll(async () => {
  slipway = await startSlipway()
  token = (await makeTeam(slipway.db)).admin.token
})
afterAll(() => slipway.close())

/** Creates an object with as many unknown keys as fit. */
function unknownKeys(bytes: number): string {
  const keys: string[] = []
  for (let size = 2; size < bytes - 12; size += (keys.at(-1)?.length ?? 0) + 1)
    keys.push(`"k${keys.length}":1`)
  return `{${keys.join(',')}}`
}

const million = unknownKeys(1_048_576)
const problemsOf = (body: unknown): string[] =>
  Object.values(Object(Object(body).errors))
    .flat()
    .map(String)

test('limits endpoints without authentication to 16 kB, except those with signatures', () => {
  const open = api.filter(({ access, raw }) => access === 'public' && !raw)
  expect(open.filter((endpoint) => maxBodyBytes(endpoint) !== 16_384)).toEqual([])
  expect(api.filter((endpoint) => !endpoint.raw && maxBodyBytes(endpoint) > 524_288)).toEqual([])
})

describe('a megabyte of unknown keys', () => {
  test('is refused by size without authentication', async () => {
    for (const key of ['POST /v1/auth/email/login', 'POST /v1/import/server'] as const) {
      const got = await slipway.call(key, { raw: million })
      expect(got).toMatchObject({ status: 413, body: { code: 'too_large' } })
    }
  })

  test('is not parsed without authentication', async () => {
    for (const raw of [million, '{not json', '['.repeat(10_000)])
      expect((await slipway.call('POST /v1/projects', { raw })).status).toBe(401)
  })

  test('is refused by the number of keys with authentication', async () => {
    const got = await slipway.call('POST /v1/projects', { token, raw: unknownKeys(500_000) })
    expect(got).toMatchObject({
      status: 413,
      body: { error: expect.stringMatching(/20,000 keys and values/) },
    })
  })
})

test('reports at most 20 problems in a small reply', async () => {
  const bodies = [unknownKeys(16_000), `{"${'x'.repeat(15_000)}":1}`, `{"email":[${'1,'.repeat(7_000)}1]}`]
  for (const raw of bodies) {
    const got = await slipway.call('POST /v1/auth/email/login', { raw })
    expect(got.status).toBe(422)
    expect(problemsOf(got.body).length).toBeLessThanOrEqual(20)
    expect(got.text.length).toBeLessThan(5_000)
  }
  const wrong = JSON.stringify({ env: Array.from({ length: 500 }, () => ({ key: 'no key', x: 1 })) })
  const got = await slipway.call('PUT /v1/applications/{id}/env', {
    token,
    params: { id: 'app_x' },
    raw: wrong,
  })
  expect([got.status, problemsOf(got.body).length]).toEqual([422, 20])
})

test('reports at most 20 problems of a query', async () => {
  const query = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 'x']))
  const got = await slipway.call('GET /v1/projects', { token, query })
  expect([got.status, problemsOf(got.body).length]).toEqual([422, 20])
})

test('refuses deep nesting', async () => {
  const nested = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const got = await slipway.call('POST /v1/projects', { token, raw: nested(200) })
  expect(got).toMatchObject({ status: 400, body: { error: expect.stringMatching(/64 levels/) } })
  expect((await slipway.call('POST /v1/projects', { token, raw: nested(60) })).status).toBe(422)
})

test('refuses keys that would change prototypes', async () => {
  for (const raw of [
    '{"__proto__":{"a":1}}',
    '{"name":"x","description":{"__proto__":null}}',
    '{"\\u005f_proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
  ])
    expect((await slipway.call('POST /v1/projects', { token, raw })).status).toBe(400)
})

test('counts keys and brackets outside strings only', async () => {
  const description = `${'{"a":[1,'.repeat(60)}\\"`
  const got = await slipway.call('POST /v1/projects', { token, body: { name: 'texts', description } })
  expect(got.status).toBe(201)
})
