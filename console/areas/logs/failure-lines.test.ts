import { expect, test } from 'vitest'
import { createFailureTest } from './failure-lines.ts'
import { toLogLine } from './feed/log-entry.ts'

const createTest = (...errors: string[]) => {
  const isFailure = createFailureTest(errors)
  return (text: string) => isFailure(toLogLine({ stream: 'stdout', text, at: '2030-01-31T12:00:00Z' }))
}

test('marks the lines that announce the error, in any color and after the name of a service', () => {
  const isFailure = createTest(
    'Container shop-1 exited with code 1.',
    'Connecting to the database',
    '\u001b[31mError: no such host\u001b[39m',
    '    at db.js:3',
  )
  expect(isFailure('Deployment failed: Container shop-1 exited with code 1.')).toBe(true)
  expect(isFailure('\u001b[1mError: no such host\u001b[0m ')).toBe(true)
  expect(isFailure('web 1: Error: no such host')).toBe(true)
  for (const other of ['Connecting to the database', '    at db.js:3', 'Error: no such', ''])
    expect(isFailure(other)).toBe(false)
})

test('marks the last line of a program that announces no error', () => {
  const isFailure = createTest('Container shop-1 exited with code 1.', 'Starting', 'exec: no such file\n')
  expect(isFailure('exec: no such file')).toBe(true)
  expect(isFailure('Starting')).toBe(false)
  expect(createTest('Health check failed after 5 s.', 'Listening')('Listening')).toBe(false)
})

test('marks nothing without errors', () => {
  expect(createTest()('')).toBe(false)
  expect(createTest('')('anything: ')).toBe(false)
})
