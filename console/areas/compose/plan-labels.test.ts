import { expect, it } from 'vitest'
import { ApiError } from '../../lib/http/api-error.ts'
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

it('summarizes a plan, services with downtime first', () => {
  const services = (['unchanged', 'rolled', 'recreated', 'unchanged'] as const).map((action) => ({ action }))
  expect(planSummary(services)).toBe('1 recreated, 1 rolling update, 2 unchanged')
  expect(planSummary([])).toBe('No services')
})

it('returns why a plan cannot be deployed', () => {
  expect(planBlocker(plan)).toBeUndefined()
  const barred = { ...plan, allowed: false, refusal: 'It needs an admin.' }
  expect(planBlocker(barred)).toBe('It needs an admin.')
  expect(planBlocker({ ...barred, problems: [fault] })).toMatch(/Fix the problems/)
})

it('allows a deployment without a plan only for temporary failures', () => {
  const failed = (status: number) => canDeployWithoutPlan(new ApiError({ messages: ['No answer.'], status }))
  expect([0, 429, 502].map(failed)).toEqual([true, true, true])
  expect([403, 404, 409].map(failed)).toEqual([false, false, false])
})
