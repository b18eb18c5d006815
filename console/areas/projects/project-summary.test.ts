import { expect, test } from 'vitest'
import {
  applicationsSummary,
  findTroubledMembers,
  serversSummary,
  variablesSummary,
} from './project-summary.ts'

test.each([
  [0, 0, 'No applications'],
  [1, 1, '1 application, running'],
  [1, 0, '1 application, not running'],
  [3, 3, '3 applications, all running'],
  [3, 1, '3 applications, 1 running'],
  [3, 0, '3 applications, none running'],
])('of %i applications %i run', (total, healthy, text) => {
  expect(applicationsSummary({ applications: { total, healthy } })).toBe(text)
})

test('counts ready servers and variables', () => {
  expect(serversSummary({ servers: { total: 2, healthy: 1 } })).toBe('2 servers, 1 ready')
  expect([0, 1, 2].map((variables) => variablesSummary({ variables }))).toEqual([
    'No variables',
    '1 variable',
    '2 variables',
  ])
})

test('finds the application or server that the reason names', () => {
  const application = (id: string, state: string) => ({ id, name: id, state })
  const server = (id: string, status: string) => ({ id, name: id, status })
  const map = {
    applications: [application('shop', 'running'), application('api', 'crashing')],
    servers: [server('web-1', 'ready'), server('web-2', 'unreachable')],
  } as Parameters<typeof findTroubledMembers>[1]
  expect(findTroubledMembers('failed', map)).toEqual([
    { name: 'api', to: '/dashboard/applications/api' },
    { name: 'web-2', to: '/dashboard/servers/web-2' },
  ])
  expect(findTroubledMembers('running', map)).toEqual([])
})
