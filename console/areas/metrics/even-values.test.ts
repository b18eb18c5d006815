import { expect, test } from 'vitest'
import { evenValues } from './even-values.ts'

const at = (seconds: number, value: number | null) => ({ at: new Date(seconds * 1000).toISOString(), value })

test('averages points in slots, with gaps where nothing was measured', () => {
  const points = [at(1, 2), at(9, 4), at(15, null), at(39, 5), at(40, 7)]
  expect(evenValues({ points, from: 0, until: 40 }, 4, ({ value }) => value)).toEqual([3, null, null, 6])
})
