import { expect, it } from 'vitest'
import { Failure, SessionOver } from '../../lib/http/failure.ts'
import { commandWord, whyNot, whyNotStarted } from './command-words.ts'

it('tells one that ended by its exit code, every other by its state', () => {
  const words = [
    commandWord({ status: 'completed', exit_code: 0 }),
    commandWord({ status: 'completed', exit_code: 3 }),
    commandWord({ status: 'completed', exit_code: null }),
    commandWord({ status: 'running', exit_code: null }),
    commandWord({ status: 'failed', exit_code: null }),
    commandWord({ status: 'cancelled', exit_code: null }),
    commandWord({ status: 'timed_out', exit_code: null }),
    commandWord({ status: 'lost', exit_code: null }),
  ]
  expect(words).toEqual([
    ['green', 'Exit code 0'],
    ['red', 'Exit code 3'],
    ['red', 'Exited'],
    ['yellow', 'Running'],
    ['red', 'Failed'],
    ['neutral', 'Canceled'],
    ['red', 'Timed out'],
    ['red', 'Lost'],
  ])
})

it('says why, or at least that it failed', () => {
  expect(whyNot({ status: 'failed', error: 'Could not reach web-1.' })).toBe('Could not reach web-1.')
  expect(whyNot({ status: 'failed', error: null })).toBe('Failed to run command.')
  expect(whyNot({ status: 'completed', error: null })).toBeUndefined()
  expect(whyNotStarted(new Failure({ messages: ['Too long.'] }))).toBe('Too long.')
  expect(whyNotStarted(new SessionOver())).toBe('Failed to run command.')
  expect(whyNotStarted(new Error('x'))).toBe('Failed to run command.')
})
