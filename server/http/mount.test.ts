import { afterAll, expect, test } from 'vitest'
import { api } from '../../contract/api.ts'
import { startSlipway } from '../../test/support/stages/context.ts'
import { makeTeam } from '../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { owner } = await makeTeam(slipway.db)

test('refuses unknown fields by name, even without any known field', async () => {
  const query = await slipway.call('GET /v1/user', { token: owner.token, query: { nonsense: '1' } })
  expect(query).toMatchObject({ status: 422, body: { errors: { nonsense: ['Unknown field.'] } } })
  const body = await slipway.call('POST /v1/stream-tickets', { token: owner.token, body: { x: 1 } })
  expect(body).toMatchObject({ status: 422, body: { errors: { x: ['Unknown field.'] } } })
})

test('refuses a forged cursor', async () => {
  for (const cursor of ['garbage', 'W10', Buffer.from('["a","b","c","d"]').toString('base64url')]) {
    const answer = await slipway.call('GET /v1/audit', { token: owner.token, query: { cursor } })
    expect(answer).toMatchObject({ status: 422, body: { errors: { cursor: [expect.any(String)] } } })
  }
})

test('refuses invisible and misleading names', async () => {
  for (const name of ['\u200b\u200b', '\u2066', 'abc\u202etxt.exe', 'two\nlines'])
    expect(await slipway.call('PUT /v1/user', { token: owner.token, body: { name } })).toMatchObject({
      status: 422,
    })
  for (const name of ['😀', 'مساحة', '👩‍🚀 Ada', '–'])
    expect(await slipway.call('PUT /v1/user', { token: owner.token, body: { name } })).toMatchObject({
      status: 200,
    })
})

test('does not serve the console at the URL of the API', async () => {
  for (const url of ['/v1', '/v1?x=1', '/v1/'])
    expect((await slipway.app.inject({ url })).json()).toMatchObject({ code: 'not_found' })
})

test('does not keep a stream open for a HEAD request', async () => {
  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = await slipway.app.inject({ method: 'HEAD', url: '/v1/live', headers })
  expect(answer.statusCode).toBe(404)
})

test('summarizes every endpoint in one phrase and describes it in full sentences', () => {
  for (const endpoint of api) {
    expect(endpoint.summary).toMatch(/^[A-Z][^.;:]*[^.;:]$/)
    expect(endpoint.description ?? 'Fine.').toMatch(/^[A-Z`].*\.$/)
  }
})

test('documents every endpoint and its idempotency header', async () => {
  const { paths } = (await slipway.app.inject({ url: '/v1/openapi.json' })).json<{
    paths: Record<string, Record<string, { parameters: { name: string }[] }>>
  }>()
  expect(paths['/v1/api-tokens']?.['post']?.parameters).toMatchObject([{ name: 'Idempotency-Key' }])
  expect(Object.keys(paths).length).toBeGreaterThan(30)
})
