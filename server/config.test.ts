import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/programs/programs.ts'
import { readConfig } from './config.ts'

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n  ').slice(1) : [error]
  }
}

test('needs no settings', () => {
  expect(readConfig({ PORT: '' })).toMatchObject({ PORT: 4000, PUBLIC_URL: 'http://localhost:4000' })
})

describe('PLANS', () => {
  const pro = { id: 'pro', name: 'Pro', price: 'p2' }
  const team = { id: 'team', name: 'Team', price: 'p3' }
  const envOf = (plans: object[]) => ({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    PLANS: JSON.stringify(plans),
  })

  test('accepts former prices of a plan', () => {
    const plan = { ...pro, former_prices: ['p1', 'p0'] }
    expect(readConfig(envOf([plan, team])).PLANS).toMatchObject([plan, { ...team, former_prices: [] }])
  })

  test.each([
    ['must have at least one plan', []],
    ['two plans have the same id', [pro, { ...team, id: 'pro' }]],
    ['two plans have the same price', [pro, { ...team, price: 'p2' }]],
    ['two plans have the same price', [{ ...pro, former_prices: ['p2'] }]],
    ['two plans have the same price', [pro, { ...team, former_prices: ['p2'] }]],
  ])('%s: %j', (reason, plans) => {
    expect(problemsOf(envOf(plans))).toContainEqual(expect.stringMatching(`^PLANS must be .*${reason}`))
  })
})

test('reports all problems at once', () => {
  expect(problemsOf({ PORT: 'abc', TRUST_PROXY: 'foo', SMTP_URL: 'smtp://', PUBLIC_URL: 'x' })).toEqual([
    'PORT must be a number from 0 to 65535.',
    'PUBLIC_URL must be an http or https URL.',
    'TRUST_PROXY must be IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma-separated.',
    'SMTP_URL must be smtp://host or smtps://host, with a user and a port if needed, and no query parameters other than requireTLS and tls.rejectUnauthorized (true or false).',
  ])
})

describe.each<[string, string[], string[]]>([
  ['PORT', ['0', '65535'], ['abc', '-1', '1.5', '65536', '1e3', ' ']],
  [
    'TRUST_PROXY',
    ['10.1.1.1', '10.0.0.0/8, ::1', 'fd00::/8', 'loopback,linklocal,uniquelocal'],
    ['foo', '10.1.1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', '::/129', '10.1.1.1,,::1', 'toString'],
  ],
  [
    'SMTP_URL',
    ['smtp://mail', 'smtps://ada:s%40crt@mail.example.com:465', 'smtp://[::1]:25?requireTLS=false'],
    [
      'smtp://',
      'mail',
      'http://mail',
      'smtp://mail?sendmail=true&path=/bin/sh',
      'smtp://mail?requireTLS=maybe',
      'smtp://mail%20host',
      'smtp://%ff@mail',
      'smtp://mail:65536',
    ],
  ],
  [
    'PUBLIC_URL',
    ['https://a.example', 'http://a.example:80/'],
    ['https://a.example/x', 'ftp://a', 'http:a', 'http://', 'http://a/?b'],
  ],
  ['GITHUB_API_URL', ['https://github.example.com/api/v3'], ['github.example.com']],
  [
    'DNS_SERVER',
    ['1.1.1.1', '127.0.0.1:5353', '::1', '[2001:db8::1]:53'],
    ['dns.example.com', '1.1.1.1:0', '1.1.1.1:65536', '1.1.1', ':53'],
  ],
  ['ACME_EMAIL', ['ops@example.com'], ['ops', 'ops@']],
  ['MAIL_OUTSIDE_LIMIT', ['20', '5000'], ['19', '20.5', 'many']],
  ['OUTSIDE_TIMEOUT', ['0.5', '20'], ['0', '-1', 'long']],
])('%s', (name, right, wrong) => {
  test.each(right)('accepts %s', (value) => expect(problemsOf({ [name]: value })).toEqual([]))
  test.each(wrong)('refuses %s with one sentence', (value) =>
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be [^.].*\\.$`)]),
  )
})

describe('the GitHub App', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const others = {
    GITHUB_APP_ID: '12',
    GITHUB_WEBHOOK_SECRET: 'a long secret',
    GITHUB_CLIENT_ID: 'a',
    GITHUB_CLIENT_SECRET: 'b',
  }

  test('accepts its key as text, in one line, in base64 or in a file', async () => {
    const path = join(await temporaryFolder(), 'key.pem')
    await writeFile(path, pem)
    for (const key of [pem, pem.replaceAll('\n', '\\n'), Buffer.from(pem).toString('base64'), path])
      expect(readConfig({ ...others, GITHUB_APP_PRIVATE_KEY: key }).GITHUB_APP_PRIVATE_KEY?.trim()).toBe(
        pem.trim(),
      )
  })

  test('refuses another kind of key without repeating it', () => {
    const { privateKey: other } = generateKeyPairSync('ed25519')
    const text = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const key of ['nothing', text, pem.slice(0, 300), '/nonexistent/key.pem'])
      expect(problemsOf({ ...others, GITHUB_APP_PRIVATE_KEY: key })).toEqual([
        'GITHUB_APP_PRIVATE_KEY must be the private key of the GitHub App: PEM, base64-encoded PEM, or the path of a PEM file.',
      ])
  })

  test('needs all of its settings', () => {
    expect(problemsOf(others)).toEqual([expect.stringMatching(/^GITHUB_APP_ID, .* must be set together\.$/)])
    const { GITHUB_CLIENT_ID: _, ...rest } = others
    expect(problemsOf({ ...rest, GITHUB_APP_PRIVATE_KEY: pem })).toHaveLength(2)
  })
})

test('derives the API URL of a GitHub Enterprise server', () => {
  expect(readConfig({}).GITHUB_API_URL).toBe('https://api.github.com')
  const { GITHUB_API_URL } = readConfig({ GITHUB_URL: 'https://git.example.com/' })
  expect(GITHUB_API_URL).toBe('https://git.example.com/api/v3')
})
