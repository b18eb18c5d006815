import { expect, test } from 'vitest'
import { toColoredLine, toSingleLine } from './plain-text.ts'

test('keeps nothing but colors of escape sequences', () => {
  const line = '\u001b[2K\u001b[1;31mError:\u001b[0m \u001b]0;title\u0007no\u001b(B\tsuch\r\nhost\u202e\u001b'
  expect(toColoredLine(line)).toBe('\u001b[1;31mError:\u001b[0m no such host')
  expect(toSingleLine(line)).toBe('Error: no such host')
})
