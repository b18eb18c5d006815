import { expect, it } from 'vitest'
import { mappingsInWords, variablesInWords } from './entry-words.ts'

it('counts the entries of a text', () => {
  expect(variablesInWords('\n  \n')).toBeUndefined()
  expect(variablesInWords('A=1')).toBe('1 variable.')
  expect(variablesInWords('A=1\n\nB\n=none\nA=2\n')).toBe('2 variables.')
  expect(mappingsInWords('data:/data\n\ncache:/cache', 'volume')).toBe('2 volumes.')
  expect(mappingsInWords(' ', 'volume')).toBeUndefined()
})
