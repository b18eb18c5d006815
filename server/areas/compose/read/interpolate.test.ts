import { expect, test } from 'vitest'
import { interpolate } from './interpolate.ts'

const env = new Map([
  ['A', 'one'],
  ['EMPTY', ''],
])
const fill = (text: string) => interpolate(text, env, { left: 1_000_000 })

test.each([
  ['$A and ${A}', 'one and one'],
  ['$$A $$$A', '$A $one'],
  ['${B-x}${EMPTY-x}${EMPTY:-y}', 'xy'],
  ['${A+x}${B+x}${EMPTY+x}${EMPTY:+y}', 'xx'],
  ['${B:-${A}/${C:-c}}', 'one/c'],
  ['${A?no}${EMPTY?no}', 'one'],
  ['$B.', '.'],
  ['$(date) $! $1 $', '$(date) $! $1 $'],
  ['${B:-$(id -u)$}', '$(id -u)$'],
  ['${A:-{"a": {"b": 1}}}${B:-{"a": {"b": 1}}}', 'one{"a": {"b": 1}}'],
  ['${A:-{x}', 'one'],
])('resolves %s to %j', (text, filled) => {
  expect(fill(text).text).toBe(filled)
  expect(fill(text).uses.filter(({ wrong }) => wrong)).toEqual([])
})

test.each([
  ['${B?}', 'Variable B must be set.'],
  ['${EMPTY:?Say it.}', 'Variable EMPTY must be set: Say it.'],
  ['${}', '${ must be followed by a variable name.'],
  ['${1}', '${ must be followed by a variable name.'],
  ['${A', 'Invalid variable. Write ${A} or ${A:-default}.'],
  ['${A!x}', 'Invalid variable.'],
])('refuses %s', (text, wrong) => {
  expect(fill(text).uses[0]?.wrong).toContain(wrong)
})

test('ignores unset variables in unused branches', () => {
  expect(fill('${A:-$B}').uses).toEqual([
    { name: 'A', at: 0 },
    { name: 'B', at: 0 },
  ])
  expect(fill('x ${B}').uses).toEqual([{ name: 'B', at: 2, isUnset: true }])
})

test('drops values beyond the budget and reports it', () => {
  const budget = { left: 1000 }
  const { text } = interpolate('$A'.repeat(1000), env, budget)
  expect(budget.left).toBeLessThan(0)
  expect(text.length).toBeLessThan(3000)
})
