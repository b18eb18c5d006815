import { expect, test } from 'vitest'
import {
  toWindowDraft,
  newWindowDraft,
  type MaintenanceWindow,
  readWindow,
} from './maintenance-window-draft.ts'

test('sends a window unchanged', () => {
  const windows: MaintenanceWindow[] = [
    { kind: 'weekly', days: [0, 6], from: '22:00', to: '04:00', timezone: 'Europe/Berlin' },
    { kind: 'once', from: '2026-03-01T01:30:00.000Z', to: '2026-03-01T05:00:00.000Z' },
  ]
  expect(windows.map(toWindowDraft).map(readWindow)).toEqual(windows)
})

test('refuses a one-time window without times', () => {
  expect(readWindow({ ...newWindowDraft(), kind: 'once' })).toBeUndefined()
})
