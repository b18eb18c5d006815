import { afterAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../test/support/clients/client.ts'
import { startSlipway } from '../../test/support/stages/context.ts'
import { openSocket } from '../../test/support/clients/sockets.ts'
import { createHostCheck } from './check-host-header.ts'

const slipway = await startSlipway({ PUBLIC_URL: 'https://slipway.example.com' })
afterAll(() => slipway.close())

describe('a request for', () => {
  const check = createHostCheck({ PUBLIC_URL: 'https://Slipway.example.com' })
  const other = createHostCheck({ PUBLIC_URL: 'http://10.0.0.5:4000' })

  test.each([
    'slipway.example.com',
    'SLIPWAY.example.com:443',
    'localhost',
    'localhost:4000',
    '127.0.0.1:4000',
    '127.8.9.1',
    '[::1]:4000',
  ])('%s is accepted', (host) => {
    expect(check(host)).toBeUndefined()
  })

  test.each([
    'evil.example',
    'evil.example:4000',
    'slipway.example.com.evil.example',
    'slipway.example.com:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.5:4000',
    '127.0.0.1@evil.example',
    '',
    undefined,
  ])('%s is refused', (host) => {
    expect(check(host)).toMatchObject({ status: 421, code: 'wrong_host' })
  })

  test('accepts the host with its port or without', () => {
    expect(other('10.0.0.5:4000')).toBeUndefined()
    expect(other('10.0.0.5')).toBeUndefined()
    expect(other('10.0.0.5:80')).toBeDefined()
  })
})

const foreign = { host: 'evil.example' }
const says = /is at https:\/\/slipway\.example\.com, not at evil\.example\..*PUBLIC_URL/

test.each([
  ['GET', '/v1/health'],
  ['POST', '/v1/auth/email/login'],
  ['GET', '/v1/openapi.json'],
] as const)('refuses %s %s for a foreign host with a sentence', async (method, url) => {
  const got = await slipway.app.inject({ method, url, headers: foreign })
  expect(got.statusCode).toBe(421)
  expect(got.body).toMatch(says)
  expectProblem({ status: 421, text: got.body, body: got.json(), headers: { ...got.headers } as never })
})

test.each(['/docs', '/login', '/nothing/here'])(
  'shows a sentence on page %s for a foreign host',
  async (url) => {
    const got = await slipway.app.inject({ url, headers: foreign })
    expect(got.statusCode).toBe(421)
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(got.body).toMatch(says)
  },
)

test('responds with a shell script to the import script', async () => {
  const headers = { ...foreign, accept: '*/*' }
  const got = await slipway.app.inject({ url: '/v1/import/server/imp_x', headers })
  expect(got.statusCode).toBe(421)
  expect(got.body).toMatch(/^#!\/bin\/sh\n/)
  expect(got.body).toMatch(says)
})

test('refuses a WebSocket', async () => {
  const url = await slipway.listen()
  const opened = await openSocket(`${url}/v1/servers/srv_x/terminal`, foreign)
  expect(opened.refused).toMatchObject({ status: 421 })
})

test('trusts the host of a trusted proxy', async () => {
  const behind = await startSlipway({ PUBLIC_URL: 'https://slipway.example.com', TRUST_PROXY: 'loopback' })
  try {
    const ask = (name: string) =>
      behind.app.inject({ url: '/v1/health', headers: { host: '127.0.0.1:4000', 'x-forwarded-host': name } })
    expect((await ask('slipway.example.com')).statusCode).toBe(200)
    expect((await ask('evil.example')).statusCode).toBe(421)
  } finally {
    await behind.close()
  }
})
