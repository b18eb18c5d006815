import { expect, it } from 'vitest'
import { Failure, SessionOver } from '../../lib/failure.ts'
import { commandWord, tookWords, whyNot, whyNotStarted } from './command-words.ts'

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
    ['red', 'Ended'],
    ['yellow', 'Running'],
    ['red', 'Failed'],
    ['neutral', 'Cancelled'],
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

it.each([
  [0, '0.0 s'],
  [0.42, '0.4 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3_599, '59 min 59 s'],
  [3_720, '1 h 2 min'],
  [7_200, '2 h'],
  [-1, '0.0 s'],
])('tells %d seconds as %s', (seconds, words) => {
  expect(tookWords(new Date(0).toISOString(), new Date(seconds * 1000).toISOString())).toBe(words)
})
