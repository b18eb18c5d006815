import { expect, test } from 'vitest'
import { channelBadge, formatEvents, queuedText } from './channel-texts.ts'
import type { EventGroup } from './queries.ts'

const groups: EventGroup[] = [
  { group: 'alerts', label: 'Alerts', events: [{ event: 'alert', label: 'An alert begins' }] },
  {
    group: 'deployments',
    label: 'Deployments',
    events: [
      { event: 'deployment_started', label: 'Started' },
      { event: 'deployment_failed', label: 'Failed' },
    ],
  },
]

test('lists events by group', () => {
  expect(formatEvents(['alert', 'deployment_failed'], groups)).toBe('Alerts, Deployments (1 of 2)')
  expect(formatEvents([], groups)).toBe('None')
})

test('counts events while the types are unavailable', () => {
  expect(formatEvents(['alert'], [])).toBe('1 event type')
  expect(formatEvents(['alert', 'deployment_failed'], [])).toBe('2 event types')
})

test('counts queued messages', () => {
  expect([0, 1, 2].map(queuedText)).toEqual([null, '1 message queued.', '2 messages queued.'])
})

test('does not show an unused channel as working', () => {
  const at = '2026-01-01T00:00:00Z'
  const channels = [
    { state: 'ok', last_sent_at: null },
    { state: 'ok', last_sent_at: at },
    { state: 'off', last_sent_at: null },
    { state: 'failing', last_sent_at: null },
  ] as const
  expect(channels.map((channel) => channelBadge(channel).word)).toEqual([
    'Not used yet',
    'Working',
    'Off',
    'Failing',
  ])
})
