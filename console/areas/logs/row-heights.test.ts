import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRowHeights } from './row-heights.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

function heightsOf(rows: readonly number[]) {
  const heights = createRowHeights()
  for (const row of rows) heights.add(row)
  return heights
}
const sum = (rows: readonly number[]) => rows.reduce((all, row) => all + row, 0)

describe('heights', () => {
  it('are empty at first', () => {
    const heights = createRowHeights()
    expect([heights.count, heights.total, heights.topOf(3), heights.indexAt(50)]).toEqual([0, 0, 0, 0])
  })

  it('find rows after adding, dropping and correcting', () => {
    const given = fc.record({
      rows: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 }),
      drop: fc.nat(70),
      changes: fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 90 })), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(given, ({ rows, drop, changes }) => {
        const heights = heightsOf(rows)
        heights.drop(drop)
        const left = rows.slice(drop)
        const corrected = left.map((row, index) => new Map(changes).get(index) ?? row)
        heights.correct(new Map(changes))
        expect([heights.count, heights.total]).toEqual([corrected.length, sum(corrected)])
        corrected.forEach((row, index) => {
          const top = sum(corrected.slice(0, index))
          expect(heights.topOf(index)).toBe(top)
          expect(heights.indexAt(top)).toBe(index)
          expect(heights.indexAt(top + row - 1)).toBe(index)
        })
      }),
    )
  })

  it('handle 200,000 rows quickly', () => {
    const heights = heightsOf(Array.from({ length: 200_000 }, () => 20))
    const took = cpuTimeOf(() => {
      heights.correct(new Map([[3, 40]]))
      heights.drop(10_000)
      expect(heights.indexAt(heights.total)).toBe(189_999)
    })
    expect(took).toBeLessThan(2_000)
  })
})
