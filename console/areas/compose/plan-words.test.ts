import { expect, it } from 'vitest'
import { Failure } from '../../lib/failure.ts'
import { byAction, mayGoOn, planSummary, whyNot } from './plan-words.ts'

const plan = { services: [], warnings: [], powers: [], allowed: true, problems: [] }
const fault = { line: 4, column: 1, end_line: 4, end_column: 5, severity: 'error', message: 'No.' } as const

it('tells in a line what happens, first what has a gap', () => {
  const services = (['unchanged', 'rolled', 'recreated', 'unchanged'] as const).map((action) => ({ action }))
  expect(planSummary(services)).toBe('1 recreated, 1 rolled, 2 left alone')
  expect(byAction(services).map(({ action }) => action)).toEqual([
    'recreated',
    'rolled',
    'unchanged',
    'unchanged',
  ])
  expect(planSummary([])).toBe('No services')
})

it('says why it cannot be deployed: a mistake in the file, or who asks', () => {
  expect(whyNot(plan)).toBeUndefined()
  expect(whyNot({ ...plan, allowed: false })).toMatch(/an admin has to deploy it/)
  expect(whyNot({ ...plan, allowed: false, problems: [fault] })).toMatch(/compose file/)
})

it('lets a deployment begin without a plan only where the server may come back', () => {
  const failed = (status: number) => mayGoOn(new Failure({ messages: ['No answer.'], status }))
  expect([0, 429, 502].map(failed)).toEqual([true, true, true])
  expect([403, 404, 409].map(failed)).toEqual([false, false, false])
})
