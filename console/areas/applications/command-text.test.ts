import { expect, test } from 'vitest'
import { commandError, isPlainCommand, readCommand } from './command-text.ts'

test('reads one argument a line, and none for an empty text', () => {
  expect(readCommand('sh\r\n-c\n\n  echo "a b" \n')).toEqual(['sh', '-c', '  echo "a b" '])
  expect(readCommand(' \n')).toBe(null)
})

test.each([
  [null, true],
  [['node', 'server.js'], true],
  [['sh', '-c', 'a\nb'], false],
  [['echo', ''], false],
  [[' echo'], false],
  [['echo', ' '], false],
])('knows whether %j can be typed', (command, plain) => {
  expect(isPlainCommand(command)).toBe(plain)
})

test('finds the sentence about one of the arguments', () => {
  expect(commandError({ port: 'No.', 'command.2': 'Too long.' })).toBe('Too long.')
  expect(commandError({ commands: 'No.' })).toBe(undefined)
})
