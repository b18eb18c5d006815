import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startSlipway } from '../../test/support/stages/context.ts'
import { api } from '../../contract/api.ts'
import { root } from '../root.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const get = (url: string) => slipway.app.inject({ method: 'GET', url })
const policyOf = async (url: string) => String((await get(url)).headers['content-security-policy'])

describe('every response', () => {
  test.each(['/v1/health', '/v1/nothing', '/docs', '/', '/dashboard', '/assets/nothing.js'])(
    'allows only our own scripts: %s',
    async (url) => {
      const policy = await policyOf(url)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'"
      expect(["'self'", "'none'"]).toContain(scripts)
    },
  )

  test('forbids sniffing, framing, caching and referrers', async () => {
    const { headers } = await get('/v1/health')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  test('sends HSTS only with an HTTPS URL', async () => {
    expect((await get('/v1/health')).headers).not.toHaveProperty('strict-transport-security')
    const secure = await startSlipway({ PUBLIC_URL: 'https://slipway.test' })
    onTestFinished(() => secure.close())
    const { headers } = await secure.app.inject({ url: '/v1/health' })
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
  })
})

test('serves an API reference without inline scripts or styles', async () => {
  const page = await get('/docs')
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style="/)
  expect(await policyOf('/docs')).toContain("style-src 'self'")
  for (const endpoint of api) expect(page.body).toContain(`id="${endpoint.name}"`)
})

test('serves a console without inline scripts', () => {
  const built = join(root, 'dist/console/index.html')
  const page = readFileSync(existsSync(built) ? built : join(root, 'console/index.html'), 'utf8')
  expect(page).toContain('<script')
  expect(page.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBeNull()
  expect(page).not.toMatch(/\son\w+=|javascript:/)
})

describe('other origins', () => {
  const ask = (app: typeof slipway.app, method: 'GET' | 'OPTIONS', origin: string) =>
    app.inject({
      method,
      url: '/v1/user',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    })

  test('may not call the API by default', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await ask(slipway.app, method, 'https://evil.example')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('may call it when listed in CORS_ORIGINS', async () => {
    const open = await startSlipway({ CORS_ORIGINS: 'https://a.example, https://b.example' })
    onTestFinished(() => open.close())
    const allowed = await ask(open.app, 'OPTIONS', 'https://b.example')
    expect(allowed.headers['access-control-allow-origin']).toBe('https://b.example')
    expect(allowed.headers['access-control-allow-methods']).toBe('GET, POST, PUT, DELETE')
    expect(allowed.headers['access-control-allow-headers']).toBe('authorization')
    const refused = await ask(open.app, 'GET', 'https://evil.example')
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

test('trusts forwarded addresses of a trusted proxy only', async () => {
  const behind = await startSlipway({ TRUST_PROXY: '10.1.1.1' })
  onTestFinished(() => behind.close())
  const seen = async (remoteAddress: string) => {
    for (let n = 0; n < 21; n++)
      await behind.app.inject({
        method: 'POST',
        url: '/v1/auth/password/forgot',
        remoteAddress,
        headers: { 'x-forwarded-for': `203.0.113.${n}`, 'content-type': 'application/json' },
        payload: '{}',
      })
    const last = await behind.app.inject({
      method: 'POST',
      url: '/v1/auth/password/forgot',
      remoteAddress,
      headers: { 'x-forwarded-for': '203.0.113.99', 'content-type': 'application/json' },
      payload: '{}',
    })
    return last.statusCode
  }
  expect(await seen('10.1.1.1')).toBe(422)
  expect(await seen('10.9.9.9')).toBe(429)
})
