import { expect, it } from 'vitest'
import { keysTouchedBy } from './live-keys.ts'

it('names the queries that an event touches', () => {
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

it('leaves the audit log alone when nobody did anything', () => {
  expect(keysTouchedBy('pull.changed')).toEqual(['pulls'])
  expect(keysTouchedBy('delivery.changed')).toEqual(['deliveries', 'hooks'])
  expect(keysTouchedBy('image.pulled')).toEqual(['images', 'audit'])
})

it('touches nothing when the stream only says that it is there', () => {
  expect(keysTouchedBy('connected')).toEqual([])
})

it('leaves nothing out for an event it does not know', () => {
  expect(keysTouchedBy('comet.seen')).toBeUndefined()
})
