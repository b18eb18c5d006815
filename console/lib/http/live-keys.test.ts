import { expect, it } from 'vitest'
import { keysTouchedBy } from './live-keys.ts'

it('returns the queries affected by an event', () => {
  expect(keysTouchedBy('member.removed')).toEqual(['workspaces', 'audit'])
  expect(keysTouchedBy('api_token.created')).toEqual(['api-tokens', 'audit'])
  expect(keysTouchedBy('server.unreachable')).toEqual([
    'servers',
    'containers',
    'images',
    'applications',
    'projects',
    'home',
    'audit',
  ])
})

it('does not refresh the audit log when no user caused the event', () => {
  expect(keysTouchedBy('pull.changed')).toEqual(['pulls'])
  expect(keysTouchedBy('delivery.changed')).toEqual(['deliveries', 'hooks'])
  expect(keysTouchedBy('image.pulled')).toEqual(['images', 'audit'])
})

it('affects no queries when the stream connects', () => {
  expect(keysTouchedBy('connected')).toEqual([])
})

it('affects all queries for an unknown event', () => {
  expect(keysTouchedBy('comet.seen')).toBeUndefined()
})
