import { expect, test } from 'vitest'
import { whatBecame, whatCame } from './delivery-words.ts'

test('what came is said with its branch or tag', () => {
  expect(whatCame({ hook: 'github', event: 'push', ref: 'refs/heads/a/b' })).toBe('Push to a/b')
  expect(whatCame({ hook: 'github', event: 'push', ref: 'refs/tags/v1' })).toBe('Push to v1')
  expect(whatCame({ hook: 'github', event: 'ping', ref: null })).toBe('Ping')
  expect(whatCame({ hook: 'deploy', event: 'deploy', ref: null })).toBe('Deploy hook')
})

test('what became of it is said of the first application, with how many more there are', () => {
  const shop = {
    application: { id: 'app_1' as const, name: 'shop' },
    status: 'ignored' as const,
    says: 'No watched file changed.',
    deployment_id: null,
  }
  expect(whatBecame({ status: 'waiting', outcomes: [] })).toBe('Nobody has looked at it yet.')
  expect(whatBecame({ status: 'ignored', outcomes: [] })).toBe('It is about no application.')
  expect(whatBecame({ status: 'ignored', outcomes: [shop] })).toBe('shop: No watched file changed.')
  expect(whatBecame({ status: 'ignored', outcomes: [{ ...shop, application: null }, shop] })).toBe(
    'No watched file changed. And 1 more.',
  )
})
