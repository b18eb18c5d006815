import { expect, test } from 'vitest'
import { webhooksUnreachableWarning } from './webhook-reachability.ts'

const at = (PUBLIC_URL: string, GITHUB_URL = 'https://github.com') =>
  webhooksUnreachableWarning({ PUBLIC_URL, GITHUB_URL })

test('warns only when GitHub certainly cannot reach this Slipway', () => {
  expect(at('http://localhost:4000')).toMatch(
    /^GitHub can't reach http:\/\/localhost:4000, so push to deploy is off/,
  )
  for (const url of ['http://10.1.2.3', 'http://192.168.1.7:4000', 'http://[::1]:4000', 'http://[fd00::1]'])
    expect(at(url)).not.toBeNull()
  for (const url of [
    'https://slipway.example.com',
    'http://slipway.lan',
    'http://8.8.8.8',
    'http://[2606::1]',
  ])
    expect(at(url)).toBeNull()
  expect(at('http://10.1.2.3', 'https://github.acme.test')).toBeNull()
  expect(at('http://127.0.0.1:4000', 'https://github.acme.test')).not.toBeNull()
})
