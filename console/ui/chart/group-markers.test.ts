import { expect, test } from 'vitest'
import { type ChartMarker, groupMarkers } from './group-markers.ts'

const marker = (id: string, at: number): ChartMarker => ({
  id,
  at,
  flag: id,
  tone: 'neutral',
  title: id,
  detail: '',
  to: '',
  state: null,
})

test('groups markers that are close to each other, and leaves out those outside of the span', () => {
  const markers = [marker('c', 160), marker('a', 110), marker('b', 112), marker('y', 99), marker('z', 201)]
  const groups = groupMarkers(markers, 100, 200, 0.05)
  expect(groups.map(({ share, markers: of }) => [share, of.map(({ id }) => id)])).toEqual([
    [0.1, ['a', 'b']],
    [0.6, ['c']],
  ])
})
