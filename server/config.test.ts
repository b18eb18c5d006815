import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n  ').slice(1) : [error]
  }
}

test('nothing has to be set', () => {
  expect(readConfig({ PORT: '' })).toMatchObject({ PORT: 4000, PUBLIC_URL: 'http://localhost:4000' })
})

test('everything that is wrong is told at once, each in a sentence', () => {
  expect(problemsOf({ PORT: 'abc', TRUST_PROXY: 'foo', SMTP_URL: 'smtp://', PUBLIC_URL: 'x' })).toEqual([
    'PORT must be a number from 0 to 65535.',
    'PUBLIC_URL must be an http or https URL.',
    'TRUST_PROXY must be IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, with commas.',
    'SMTP_URL must be smtp://host or smtps://host, with a user and a port if needed.',
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
    ['smtp://mail', 'smtps://ada:s%40crt@mail.example.com:465'],
    ['smtp://', 'mail', 'http://mail'],
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
  ['OUTSIDE_TIMEOUT', ['0.5', '20'], ['0', '-1', 'long']],
])('%s', (name, right, wrong) => {
  test.each(right)('takes %s', (value) => expect(problemsOf({ [name]: value })).toEqual([]))
  test.each(wrong)('refuses %s with one sentence', (value) =>
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be [^.].*\\.$`)]),
  )
})
