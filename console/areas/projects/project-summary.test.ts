import { expect, test } from 'vitest'
import { applicationsSummary, serversSummary, variablesSummary } from './project-summary.ts'

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
