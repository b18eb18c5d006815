import { expect, test } from 'vitest'
import { pointsOf, previewWords, scaleOf } from './preview-points.ts'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

test('series of different times share one axis, with nothing where one has no value', () => {
  const series = [
    { id: 'a', name: 'web-1', begins: [], points: [{ at: at(5), value: 50 }] },
    {
      id: 'b',
      name: 'web-2',
      begins: [],
      points: [
        { at: at(0), value: 20 },
        { at: at(5), value: 30 },
      ],
    },
  ]
  expect(pointsOf(series, 0.01)).toEqual([
    { at: 0, values: [null, 0.2] },
    { at: 300, values: [0.5, 0.3] },
  ])
})

test('what the last day would have been is one sentence', () => {
  expect(previewWords('cpu', { subjects: 0, begins: 0 })).toBe('There are no servers for it to look at yet.')
  expect(previewWords('cpu', { subjects: 1, begins: 2 })).toBe(
    'Looks at 1 server. It would have begun twice in the last day, by means of 5 minutes.',
  )
  expect(previewWords('deployment_failed', { subjects: 2, begins: 0 })).toBe(
    'Looks at 2 applications. It would not have begun in the last day.',
  )
  expect(previewWords('container_stopped', { subjects: 4, begins: null })).toBe('Looks at 4 containers.')
})

test('what is only good or bad is not drawn', () => {
  expect(scaleOf('server_unreachable')).toBeUndefined()
  expect(scaleOf('cpu')).toMatchObject({ unit: 'share', most: 1 })
  expect(scaleOf('container_cpu')).not.toHaveProperty('most')
})
