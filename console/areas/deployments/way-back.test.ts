import { expect, it } from 'vitest'
import { isWayBack, latestLive } from './way-back.ts'

const release = { kept: true, current: false, live_at: '2026-11-15T10:00:00.000Z' }

it('leads back to what was live and is kept, but for what runs', () => {
  expect(isWayBack(release)).toBe(true)
  expect(isWayBack({ ...release, kept: false })).toBe(false)
  expect(isWayBack({ ...release, current: true })).toBe(false)
  expect(isWayBack({ ...release, live_at: null })).toBe(false)
})

it('means that which was live last, whichever was made last', () => {
  const again = { ...release, live_at: '2026-11-15T12:00:00.000Z' }
  expect(latestLive([release, again, { ...release, live_at: null }])).toBe(again)
  expect(latestLive([])).toBeUndefined()
})
