import { expect, test } from 'vitest'
import { toChartPoints, previewText, chartScale } from './preview-points.ts'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

test('merges series on one time axis with gaps', () => {
  const series = [
    { id: 'a', name: 'web-1', fired_at: [], points: [{ at: at(5), value: 50 }] },
    {
      id: 'b',
      name: 'web-2',
      fired_at: [],
      points: [
        { at: at(0), value: 20 },
        { at: at(5), value: 30 },
      ],
    },
  ]
  expect(toChartPoints(series, 0.01)).toEqual([
    { at: 0, values: [null, 0.2] },
    { at: 300, values: [0.5, 0.3] },
  ])
})

test('summarizes the preview in one sentence', () => {
  expect(previewText('cpu', { subjects: 0, times_fired: 0 })).toBe('No servers in this scope yet.')
  expect(previewText('cpu', { subjects: 1, times_fired: 2 })).toBe(
    'Applies to 1 server. The alert would have triggered twice in the last 24 hours (5-minute averages).',
  )
  expect(previewText('deployment_failed', { subjects: 2, times_fired: 0 })).toBe(
    'Applies to 2 applications. The alert would not have triggered in the last 24 hours.',
  )
  expect(previewText('container_stopped', { subjects: 4, times_fired: null })).toBe(
    'Applies to 4 containers.',
  )
})

test('draws no boolean conditions', () => {
  expect(chartScale('server_unreachable')).toBeUndefined()
  expect(chartScale('cpu')).toMatchObject({ unit: 'share', most: 1 })
  expect(chartScale('container_cpu')).not.toHaveProperty('most')
})
