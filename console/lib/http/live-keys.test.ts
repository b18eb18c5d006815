import { expect, it } from 'vitest'
import { affectedQueryKeys } from './live-keys.ts'

it('returns the queries affected by an event', () => {
  expect(affectedQueryKeys('member.removed')).toEqual(['workspaces', 'audit'])
  expect(affectedQueryKeys('api_token.created')).toEqual(['api-tokens', 'audit'])
  expect(affectedQueryKeys('server.unreachable')).toEqual([
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
  expect(affectedQueryKeys('pull.changed')).toEqual(['pulls'])
  expect(affectedQueryKeys('delivery.changed')).toEqual(['deliveries', 'hooks'])
  expect(affectedQueryKeys('image.pulled')).toEqual(['images', 'audit'])
})

it('affects no queries when the stream connects', () => {
  expect(affectedQueryKeys('connected')).toEqual([])
})

it('affects all queries for an unknown event', () => {
  expect(affectedQueryKeys('comet.seen')).toBeUndefined()
})
