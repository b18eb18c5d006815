import { expect, test } from 'vitest'
import { hasLoopbackUrl } from './has-loopback-url.ts'

const line = (address: string) =>
  `printf 'url = "%s"\\n' '${address}/v1/import/server/imp_1' | curl -sSL -K - | sh -s set-up`

test.each(['http://localhost:4000', 'https://127.0.0.1', 'http://[::1]:4000', 'http://127.3.2.1'])(
  '%s is found by nobody else',
  (address) => expect(hasLoopbackUrl(line(address))).toBe(true),
)

test.each([
  'https://slipway.example',
  'http://10.0.0.5:4000',
  'https://localhost.example',
  'http://[2001:db8::1]',
])('%s can be reached', (address) => expect(hasLoopbackUrl(line(address))).toBe(false))
