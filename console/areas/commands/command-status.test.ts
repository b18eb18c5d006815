import { expect, it } from 'vitest'
import { ApiError, SessionEnded } from '../../lib/http/api-error.ts'
import { commandStatusLabel, commandError, startError } from './command-status.tsx'

it('shows the exit code of a completed command, and the status of others', () => {
  const words = [
    commandStatusLabel({ status: 'completed', exit_code: 0 }),
    commandStatusLabel({ status: 'completed', exit_code: 3 }),
    commandStatusLabel({ status: 'completed', exit_code: null }),
    commandStatusLabel({ status: 'running', exit_code: null }),
    commandStatusLabel({ status: 'failed', exit_code: null }),
    commandStatusLabel({ status: 'cancelled', exit_code: null }),
    commandStatusLabel({ status: 'timed_out', exit_code: null }),
    commandStatusLabel({ status: 'lost', exit_code: null }),
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

it('shows the reason, or at least the failure', () => {
  expect(commandError({ status: 'failed', error: 'Could not reach web-1.' })).toBe('Could not reach web-1.')
  expect(commandError({ status: 'failed', error: null })).toBe('Failed to run command.')
  expect(commandError({ status: 'completed', error: null })).toBeUndefined()
  expect(startError(new ApiError({ messages: ['Too long.'] }))).toBe('Too long.')
  expect(startError(new SessionEnded())).toBe('Failed to run command.')
  expect(startError(new Error('x'))).toBe('Failed to run command.')
})
