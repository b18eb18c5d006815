import { expect, it } from 'vitest'
import { splitTags, withTags } from './split-tags.ts'

it('cuts at the delimiter and at line ends, and drops what is empty', () => {
  expect(splitTags(' web, eu ,,\r\nteam=core\n ', ',')).toEqual(['web', 'eu', 'team=core'])
  expect(splitTags('a,b; c', ';')).toEqual(['a,b', 'c'])
})

it('holds each tag once and no more than the maximum, where 0 is none', () => {
  expect(withTags(['web'], ['eu', 'web', 'eu'], 0)).toEqual(['web', 'eu'])
  expect(withTags(['web'], ['eu', 'us'], 2)).toEqual(['web', 'eu'])
})
