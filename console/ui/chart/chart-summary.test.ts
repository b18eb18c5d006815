import { expect, test } from 'vitest'
import { chartSummary } from './chart-summary.ts'

const at = (clock: string) => new Date(`${new Date().toDateString()} ${clock}`).getTime() / 1000

test('describes the lines, the day before and the gaps of a chart', () => {
  const times = [at('06:00'), at('06:05'), at('06:10')]
  const text = chartSummary({
    lines: ['p50', 'p95'],
    columns: [times, [10, null, 30], [100, null, 300]],
    unit: 'milliseconds',
    earlier: {
      label: 'Day before',
      columns: [
        [20, 20, 20],
        [null, null, null],
      ],
    },
  })
  expect(text).toBe(
    'p50: lowest 10 ms, highest 30 ms, on average 20 ms. p95: lowest 100 ms, highest 300 ms, on average 200 ms. ' +
      'p50, day before: lowest 20 ms, highest 20 ms, on average 20 ms. p95, day before: no data. ' +
      'No data between 06:00 and 06:10.',
  )
})
