import { expect, test } from 'vitest'
import { publicUrlProblem } from './providers.ts'

test.each(['http://localhost:4000', 'https://127.0.0.1', 'http://[::1]:4000', 'http://slipway.localhost'])(
  'refuses %s',
  (address) =>
    expect(publicUrlProblem({ PUBLIC_URL: address })).toContain(`only this machine can reach ${address}.`),
)

test.each([
  'https://slipway.example',
  'http://10.0.0.5:4000',
  'http://localhost.example',
  'http://[2001:db8::1]',
])('accepts %s', (address) => expect(publicUrlProblem({ PUBLIC_URL: address })).toBeNull())
