import { expect, test } from 'vitest'
import { times } from '../../test/support/run/campaign.ts'
import { cpuTimeOf } from '../../test/support/run/cpu-time.ts'
import { fuzzyScore } from './fuzzy-score.ts'

const best = (typed: string, names: readonly string[]) =>
  names
    .map((name) => ({ name, score: fuzzyScore(name, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name)

test('finds words in any order, beginnings first, then letters in order', () => {
  const names = ['Roll back store', 'Deploy store', 'store', 'bookstore', 'Terminal on web-1']
  expect(best('store', names)).toEqual(['store', 'Deploy store', 'Roll back store', 'bookstore'])
  expect(best('store deploy', names)).toEqual(['Deploy store'])
  expect(best('rbstore', names)).toEqual(['Roll back store'])
  expect(best('dpl str', names)).toEqual(['Deploy store'])
  expect(best('WEB', names)).toEqual(['Terminal on web-1'])
  expect(best('zzz', names)).toEqual([])
  expect(best('erots', names)).toEqual([])
})

test('scores 3,000 names within 50 ms', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `Deploy checkout-service-${index}.example.com`)
  const took = Array.from({ length: times(10, 20) }, () => cpuTimeOf(() => best('dpl service-2', names)))
  expect(Math.min(...took)).toBeLessThan(50)
})
