import { expect, test } from 'vitest'
import { setupSteps } from '../../../../contract/setups.ts'
import { listSetupSteps } from './setup-steps.ts'

const states = (setup: Parameters<typeof listSetupSteps>[0]) =>
  listSetupSteps(setup).map(({ state }) => state)

test('lists every step of the contract in order', () => {
  expect(listSetupSteps({ status: 'queued', step: null, warnings: [] }).map(({ name }) => name)).toEqual([
    ...setupSteps,
  ])
})

test('marks the steps before the current one as done', () => {
  expect(states({ status: 'running', step: 'docker', warnings: [] }).slice(0, 4)).toEqual([
    'done',
    'done',
    'now',
    'waiting',
  ])
})

test('marks all steps of a queued setup as waiting and of a completed one as done', () => {
  expect(new Set(states({ status: 'queued', step: null, warnings: [] }))).toEqual(new Set(['waiting']))
  expect(new Set(states({ status: 'completed', step: 'verify', warnings: [] }))).toEqual(new Set(['done']))
})

test('marks the step in which the setup failed', () => {
  expect(states({ status: 'failed', step: 'check', warnings: [] }).slice(0, 3)).toEqual([
    'done',
    'failed',
    'waiting',
  ])
})

test('marks a completed step that has warnings', () => {
  const warnings = [{ step: 'compose' as const, text: 'There is none.' }]
  expect(states({ status: 'running', step: 'git', warnings }).slice(2, 5)).toEqual(['done', 'warned', 'now'])
  expect(states({ status: 'running', step: 'compose', warnings })[3]).toBe('now')
  expect(states({ status: 'completed', step: 'verify', warnings }).slice(2, 5)).toEqual([
    'done',
    'warned',
    'done',
  ])
})
