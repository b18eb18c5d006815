import { expect, test } from 'vitest'
import { remarksOn } from './variable-remarks.ts'

test('says at which line something is left out, is no variable, or is empty, and what counts', () => {
  expect(remarksOn('A=1\n\n =nothing\nB\nA=2\nNO WAY=s3cret\n# note\nPORT=1\nPORT=2')).toEqual([
    'Line 3 is not KEY=value: it is left out.',
    'Line 4 has no equals sign: B is set to nothing.',
    'Line 6 is not KEY=value: what stands before the equals sign is no name.',
    'Line 7 is a remark, which has no place here: take it out.',
    'A is given twice, the last one counts.',
    'And 1 more like these.',
  ])
  expect(remarksOn('A=1\nA=2\nA=3')).toEqual(['A is given 3 times, the last one counts.'])
  expect(remarksOn('A=1\r\nB = 2=3\r\n')).toEqual([])
})
