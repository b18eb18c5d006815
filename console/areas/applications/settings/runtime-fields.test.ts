import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/http/api-error.ts'
import { commandSyntaxError, readCommand } from './runtime-fields.tsx'

test('splits a command line and rejects an unclosed quote', () => {
  expect(readCommand('npm run "start it"\n')).toEqual(['npm', 'run', 'start it'])
  expect(readCommand(' \n')).toBe(null)
  expect(() => readCommand('echo "a')).toThrow(ApiError)
})

test('finds the error of an argument', () => {
  expect(commandSyntaxError({ port: 'No.', 'command.2': 'Too long.' })).toBe('Too long.')
  expect(commandSyntaxError({ commands: 'No.' })).toBe(undefined)
})
