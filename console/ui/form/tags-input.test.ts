import { expect, it } from 'vitest'
import { splitTags, withTags } from './tags-input.tsx'

it('splits at the delimiter and line ends, and drops empty tags', () => {
  expect(splitTags(' web, eu ,,\r\nteam=core\n ', ',')).toEqual(['web', 'eu', 'team=core'])
  expect(splitTags('a,b; c', ';')).toEqual(['a,b', 'c'])
})

it('removes duplicates and applies the maximum, where 0 is unlimited', () => {
  expect(withTags(['web'], ['eu', 'web', 'eu'], 0)).toEqual(['web', 'eu'])
  expect(withTags(['web'], ['eu', 'us'], 2)).toEqual(['web', 'eu'])
})
