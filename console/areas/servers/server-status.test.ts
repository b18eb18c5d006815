import { expect, it } from 'vitest'
import { serverStatuses } from '../../../contract/servers.ts'
import { serverUrgency, serverStatusLabel } from './server-status.ts'

it('has a word and a colour for every state', () => {
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
])('tells %j, which it does not know, as it comes', (status, word) => {
  expect(serverStatusLabel(status)).toEqual(['yellow', word])
})

it('ranks states as the list does, and what it does not know before them', () => {
  const ranks = serverStatuses.map((status) => serverUrgency(status))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(serverUrgency('rebooting')).toBeLessThan(serverUrgency('failed'))
})
