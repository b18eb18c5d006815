import { expect, test } from 'vitest'
import type { PlannedService } from '../../../tables.ts'
import { planMessage } from './plan-services.ts'

type Action = PlannedService['action']

const plan = (actions: Record<string, Action>): PlannedService[] =>
  Object.entries(actions).map(([service, action]) => ({ service, action, reasons: [] }))

test.each<[string, Record<string, Action>]>([
  ['Deploy 3 services', { api: 'added', db: 'added', web: 'added' }],
  ['Deploy 1 service', { web: 'added' }],
  ['Deploy 2 services, none changed', { api: 'unchanged', web: 'unchanged' }],
  ['Update web, keep api and db', { api: 'unchanged', db: 'unchanged', web: 'rolled' }],
  [
    'Recreate db, update web, remove old, add new, keep api',
    { api: 'unchanged', db: 'recreated', new: 'added', old: 'removed', web: 'rolled' },
  ],
  [
    'Update a, keep 4 services',
    { a: 'rolled', b: 'unchanged', c: 'unchanged', d: 'unchanged', e: 'unchanged' },
  ],
])('names a deployment by what it does: %s', (message, actions) => {
  expect(planMessage(plan(actions))).toBe(message)
})

test('omits services that are scaled to 0', () => {
  const idle = { service: 'idle', action: 'unchanged', reasons: ['Scaled to 0.'] } as const
  expect(planMessage([...plan({ web: 'added' }), { ...idle, reasons: [...idle.reasons] }])).toBe(
    'Deploy 1 service',
  )
})
