import { expect, test } from 'vitest'
import { setupSteps } from '../../../../contract/setups.ts'
import { setupStepsOf } from './setup-steps.ts'

const states = (setup: Parameters<typeof setupStepsOf>[0]) => setupStepsOf(setup).map(({ state }) => state)

test('every step of the contract is told, in its order', () => {
  expect(setupStepsOf({ status: 'queued', step: null, warnings: [] }).map(({ name }) => name)).toEqual([
    ...setupSteps,
  ])
})

test('what lies before the step that it is at is done', () => {
  expect(states({ status: 'running', step: 'docker', warnings: [] }).slice(0, 4)).toEqual([
    'done',
    'done',
    'now',
    'waiting',
  ])
})

test('one that waits has done nothing, one that is completed everything', () => {
  expect(new Set(states({ status: 'queued', step: null, warnings: [] }))).toEqual(new Set(['waiting']))
  expect(new Set(states({ status: 'completed', step: 'verify', warnings: [] }))).toEqual(new Set(['done']))
})

test('one that failed shows in which step', () => {
  expect(states({ status: 'failed', step: 'check', warnings: [] }).slice(0, 3)).toEqual([
    'done',
    'failed',
    'waiting',
  ])
})

test('a step that is done but lacks something is told from one that lacks nothing', () => {
  const warnings = [{ step: 'compose' as const, text: 'There is none.' }]
  expect(states({ status: 'running', step: 'git', warnings }).slice(2, 5)).toEqual(['done', 'warned', 'now'])
  expect(states({ status: 'running', step: 'compose', warnings })[3]).toBe('now')
  expect(states({ status: 'completed', step: 'verify', warnings }).slice(2, 5)).toEqual([
    'done',
    'warned',
    'done',
  ])
})
