import { describe, expect, it } from 'vitest'
import { byNumber, byText, byTime, nextSort, readSort, sortKey, sortRows } from './sort.ts'

interface Row {
  name: string | null
  at: string | null
  size: number
}

const row = (name: string | null, at: string | null = null, size = 0): Row => ({ name, at, size })
const name = byText<Row>((each) => each.name)
const columns = [
  { head: 'Name', sort: name },
  { head: 'Last used', sort: byTime<Row>(({ at }) => at, { none: -Infinity }) },
  { head: 'Size', sort: byNumber<Row>(({ size }) => size, ['smallest first', 'largest first']) },
  { head: 'Link' },
]

function names(rows: Row[], value: string) {
  const sorted = readSort(columns, value)
  return (sorted ? sortRows(rows, sorted) : rows).map((each) => each.name)
}

describe('sortRows', () => {
  it('sorts names naturally: by number, accents beside their letters, empty ones last', () => {
    const rows = ['web-10', 'zeta', null, 'Étoile', 'web-2', 'api'].map((each) => row(each))
    expect(names(rows, 'name')).toEqual(['api', 'Étoile', 'web-2', 'web-10', 'zeta', null])
    expect(names(rows, '-name')).toEqual([null, 'zeta', 'web-10', 'web-2', 'Étoile', 'api'])
  })

  it('sorts times in any time zone', () => {
    const rows = [
      row('later', '2026-01-01T01:00:00Z'),
      row('first', '2026-01-01T01:30:00+02:00'),
      row('never'),
    ]
    expect(names(rows, 'last-used')).toEqual(['never', 'first', 'later'])
    expect(names(rows, '-last-used')).toEqual(['later', 'first', 'never'])
  })

  it('sorts numbers numerically', () => {
    const rows = [row('a', null, 10), row('b', null, 9), row('c', null, -1)]
    expect(names(rows, 'size')).toEqual(['c', 'b', 'a'])
  })

  it('keeps equal rows in their order', () => {
    const rows = ['a', 'b', 'c'].map((each) => row(each, null, 7))
    expect(names(rows, 'size')).toEqual(['a', 'b', 'c'])
    expect(names(rows, '-size')).toEqual(['a', 'b', 'c'])
    expect(names(rows, '-last-used')).toEqual(['a', 'b', 'c'])
  })

  it('does not modify its input', () => {
    const rows = [row('b'), row('a')]
    names(rows, 'name')
    expect(rows.map((each) => each.name)).toEqual(['b', 'a'])
  })
})

describe('readSort', () => {
  it('parses the column and the direction', () => {
    expect(readSort(columns, '-last-used')).toMatchObject({ key: 'last-used', down: true })
    expect(readSort(columns, 'name')).toMatchObject({ key: 'name', down: false })
  })

  it.each(['', '-', 'age', 'Name', 'link', '--name'])('returns no sort for %j', (value) => {
    expect(readSort(columns, value)).toBeUndefined()
  })
})

it('formats a sort for the URL', () => {
  expect(sortKey('Last used')).toBe('last-used')
})

it('cycles from ascending to descending to unsorted', () => {
  expect(nextSort('', 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBe('')
  expect(nextSort('-name', 'joined')).toBe('joined')
})
