import { expect, it } from 'vitest'
import { Failure } from '../../lib/http/failure.ts'
import { canDeployWithoutPlan, planSummary, planBlocker } from './plan-labels.ts'

const plan = {
  services: [],
  warnings: [],
  host_access: [],
  allowed: true,
  refusal: null,
  revision: null,
  problems: [],
}
const fault = { line: 4, column: 1, end_line: 4, end_column: 5, severity: 'error', message: 'No.' } as const

it('tells in a line what happens, first what has a gap', () => {
  const services = (['unchanged', 'rolled', 'recreated', 'unchanged'] as const).map((action) => ({ action }))
  expect(planSummary(services)).toBe('1 recreated, 1 rolled, 2 left alone')
  expect(planSummary([])).toBe('No services')
})

it('says why it cannot be done: what stands against it, or who asks', () => {
  expect(planBlocker(plan)).toBeUndefined()
  const barred = { ...plan, allowed: false, refusal: 'It needs an admin.' }
  expect(planBlocker(barred)).toBe('It needs an admin.')
  expect(planBlocker({ ...barred, problems: [fault] })).toMatch(/put right/)
})

it('lets a deployment begin without a plan only where the server may come back', () => {
  const failed = (status: number) => canDeployWithoutPlan(new Failure({ messages: ['No answer.'], status }))
  expect([0, 429, 502].map(failed)).toEqual([true, true, true])
  expect([403, 404, 409].map(failed)).toEqual([false, false, false])
})
