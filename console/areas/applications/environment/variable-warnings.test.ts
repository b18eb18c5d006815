import { expect, test } from 'vitest'
import { listVariableWarnings } from './variable-warnings.tsx'

test('warns about ignored, invalid, empty and repeated lines', () => {
  expect(listVariableWarnings('A=1\n\n =nothing\nB\nA=2\nNO WAY=s3cret\n# note\nPORT=1\nPORT=2')).toEqual([
    'Line 3: The name before the equals sign is missing. The line is ignored.',
    'Line 4: The equals sign is missing. B is set to an empty value.',
    'Line 6: The name is invalid.',
    'A is set twice. The last value is used.',
    'PORT is set twice. The last value is used.',
    'And 1 more.',
  ])
  expect(listVariableWarnings('A=1\nA=2\nA=3')).toEqual(['A is set 3 times. The last value is used.'])
  expect(listVariableWarnings('A=1\r\nB = 2=3\r\n')).toEqual([])
  expect(listVariableWarnings('# note\nA="1"')).toEqual(['Comments are not saved.'])
  expect(listVariableWarnings('A=1\nB=$A\nC=p$$w\nD=$none\nE= # c\nF="x')).toEqual([
    'Line 2: $A is replaced by its value. To keep $A, put the value in single quotes.',
    'Line 3: $$ is read as $. To keep $$, put the value in single quotes.',
    'Line 5: The value of E starts with #. Remove the value if it is a comment.',
    'Line 6: The closing quote is missing.',
  ])
})
