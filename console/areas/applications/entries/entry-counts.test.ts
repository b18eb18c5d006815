import { expect, it } from 'vitest'
import { countMappings, countVariables } from './entry-counts.ts'

it('counts the entries of a text', () => {
  expect(countVariables('\n  \n')).toBeUndefined()
  expect(countVariables('A=1')).toBe('1 variable.')
  expect(countVariables('A=1\n\nB\n=none\nA=2\n')).toBe('2 variables.')
  expect(countMappings('data:/data\n\ncache:/cache', 'volume')).toBe('2 volumes.')
  expect(countMappings(' ', 'volume')).toBeUndefined()
})
