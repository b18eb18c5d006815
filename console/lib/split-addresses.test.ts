import { expect, test } from 'vitest'
import { splitAddresses } from './split-addresses.ts'

const found = (text: string) => splitAddresses(text).flatMap((part) => (part.isAddress ? [part.text] : []))

test.each([
  ['Set its A record to 203.0.113.10.', ['203.0.113.10']],
  [
    'a.example points to 10.0.0.1 and 2001:db8::1, not to web-1 (203.0.113.10).',
    ['10.0.0.1', '2001:db8::1', '203.0.113.10'],
  ],
  ['Set its AAAA record to 2001:db8:0:0:0:0:0:1.', ['2001:db8:0:0:0:0:0:1']],
  ['connect ECONNREFUSED 10.0.0.5:5432', ['10.0.0.5']],
  ['Publish port 5432 at 127.0.0.1, not at ::1 or 0.0.0.0.', []],
  [
    'It was 12:34:56, release 1.2.3, at http://shop.203-0-113-10.sslip.io/ and api.10.0.0.1.sslip.io.',
    ['203-0-113-10', '10.0.0.1'],
  ],
  ['Must be an IP address or a range such as 10.0.0.0/8, not 10.1.2.3.', ['10.1.2.3']],
  ['Its parts are app-1-2-3-4 and 1.2.3.4-alpine.', []],
])('finds the addresses in %j', (text, addresses) => {
  expect(found(text)).toEqual(addresses)
  expect(
    splitAddresses(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

test('does not mask the address of Slipway itself', () => {
  const text = 'It runs at 203.0.113.7, but did not call http://203.0.113.1:3000.'
  const hidden = splitAddresses(text, '203.0.113.1').filter(({ isAddress }) => isAddress)
  expect(hidden.map((part) => part.text)).toEqual(['203.0.113.7'])
})
