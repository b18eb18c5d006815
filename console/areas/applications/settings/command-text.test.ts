import { expect, test } from 'vitest'
import { Failure } from '../../../lib/http/failure.ts'
import { commandError, readCommand } from './command-text.ts'

test('reads a line, none for an empty one, and says where a quote is not closed', () => {
  expect(readCommand('npm run "start it"\n')).toEqual(['npm', 'run', 'start it'])
  expect(readCommand(' \n')).toBe(null)
  expect(() => readCommand('echo "a')).toThrow(Failure)
})

test('finds the sentence about one of the arguments', () => {
  expect(commandError({ port: 'No.', 'command.2': 'Too long.' })).toBe('Too long.')
  expect(commandError({ commands: 'No.' })).toBe(undefined)
})
