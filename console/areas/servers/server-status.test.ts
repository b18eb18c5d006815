import { expect, it } from 'vitest'
import { serverStatuses } from '../../../contract/servers.ts'
import { serverUrgency, serverStatusLabel } from './server-status.tsx'

it('has a label and a color for every status', () => {
  expect(serverStatuses.map((status) => serverStatusLabel(status))).toEqual([
    ['red', 'Failed'],
    ['red', 'Unreachable'],
    ['yellow', 'Setting up'],
    ['yellow', 'Provisioning'],
    ['yellow', 'Pending'],
    ['green', 'Ready'],
    ['yellow', 'Deleting'],
  ])
})

it.each([
  ['rebooting', 'Rebooting'],
  ['moving_house', 'Moving house'],
  ['toString', 'ToString'],
  ['', ''],
])('shows the unknown status %j capitalized', (status, word) => {
  expect(serverStatusLabel(status)).toEqual(['yellow', word])
})

it('sorts statuses like the list, unknown ones first', () => {
  const ranks = serverStatuses.map((status) => serverUrgency(status))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(serverUrgency('rebooting')).toBeLessThan(serverUrgency('failed'))
})
