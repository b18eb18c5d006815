import { expect, test } from 'vitest'
import { listVariableWarnings } from './variable-warnings.tsx'

test('warns about ignored, invalid, empty and repeated lines', () => {
  expect(listVariableWarnings('A=1\n\n =nothing\nB\nA=2\nNO WAY=s3cret\n# note\nPORT=1\nPORT=2')).toEqual([
    'Line 3: no name before the equals sign. The line is ignored.',
    'Line 4: no equals sign. B is set to an empty value.',
    'Line 6: invalid name.',
    'Line 7: comments are not supported. Remove it.',
    'A is set twice. The last value is used.',
    'And 1 more.',
  ])
  expect(listVariableWarnings('A=1\nA=2\nA=3')).toEqual(['A is set 3 times. The last value is used.'])
  expect(listVariableWarnings('A=1\r\nB = 2=3\r\n')).toEqual([])
})
