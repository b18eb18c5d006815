import { expect, it } from 'vitest'
import { canRollBackTo, findLatestLive } from './can-roll-back.ts'

const release = { image_available: true, current: false, live_at: '2026-11-15T10:00:00.000Z' }

it('allows a rollback to releases that were live and have their image, except the current one', () => {
  expect(canRollBackTo(release)).toBe(true)
  expect(canRollBackTo({ ...release, image_available: false })).toBe(false)
  expect(canRollBackTo({ ...release, current: true })).toBe(false)
  expect(canRollBackTo({ ...release, live_at: null })).toBe(false)
})

it('picks the release that was live most recently', () => {
  const again = { ...release, live_at: '2026-11-15T12:00:00.000Z' }
  expect(findLatestLive([release, again, { ...release, live_at: null }])).toBe(again)
  expect(findLatestLive([])).toBeUndefined()
})
