import { expect, test } from 'vitest'
import { ApiError } from '../http/api-error.ts'
import { readNumber, readOptionalNumber } from './read-number.ts'

test('parses numbers as users type them', () => {
  expect([' 3 ', '0.5', '-1'].map((typed) => readNumber('replicas', typed))).toEqual([3, 0.5, -1])
})

test('accepts an empty field only where it is optional', () => {
  expect(readOptionalNumber('cpu_limit', ' ')).toBe(null)
  expect(readOptionalNumber('cpu_limit', '2')).toBe(2)
  expect(() => readNumber('replicas', '')).toThrow('Must be a number.')
})

test.each(['two', '1,5', 'NaN', 'Infinity'])('reports at the field that %s is not a number', (typed) => {
  const refused = new ApiError({
    messages: ['Port: Must be a number.'],
    fields: { port: 'Must be a number.' },
  })
  expect(() => readOptionalNumber('port', typed)).toThrow(refused)
})
