import { expect, test } from 'vitest'
import {
  imageTitle,
  imageNames,
  pullProgress,
  visiblePulls,
  formatPullStatus,
  shortImageId,
} from './image-format.ts'
import type { Pull } from './queries.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const layer = (status: Pull['layers'][number]['status'], current: number, total: number | null) => ({
  id: `${status}${current}`,
  status,
  current,
  total,
})
const pull = (given: Partial<Pull>): Pull => ({
  id: 'pul_1',
  image: 'nginx:1.27',
  status: 'running',
  error: null,
  layers: [],
  actor: { name: 'Ada' },
  created_at: '2026-01-31T11:59:00Z',
  finished_at: null,
  ...given,
})

test('shows the first name or the short ID', () => {
  const id = `sha256:${'0123456789ab'.repeat(5)}cdef`
  expect(shortImageId(id)).toBe('0123456789ab')
  expect(imageTitle({ id, tags: ['nginx:1', 'nginx:2'] })).toBe('nginx:1')
  expect(imageTitle({ id, tags: [] })).toBe('0123456789ab')
})

test('counts extracted layers as complete', () => {
  const layers = [layer('downloading', 40, 100), layer('extracting', 10, 50), layer('done', 0, null)]
  expect(pullProgress([...layers, layer('waiting', 0, null)])).toEqual({ current: 90, total: 150 })
})

test('shows the progress of a pull', () => {
  expect(formatPullStatus(pull({ status: 'queued' }))).toBe('Queued')
  expect(formatPullStatus(pull({ status: 'queued', error: 'It is away.' }))).toBe('It is away.')
  expect(formatPullStatus(pull({}))).toBe('Contacting the registry')
  expect(formatPullStatus(pull({ layers: [layer('waiting', 0, null)] }))).toBe('0 of 1 layer')
  expect(formatPullStatus(pull({ layers: [layer('done', 0, 2048), layer('downloading', 1024, 2048)] }))).toBe(
    '1 of 2 layers · 3 KiB of 4 KiB',
  )
})

test('shows pulls in progress and recent failures without a retry', () => {
  const old = { created_at: '2026-01-30T11:00:00Z' }
  const shown = visiblePulls(
    [
      pull({ id: 'pul_6', status: 'queued', image: 'a' }),
      pull({ id: 'pul_5', status: 'failed', image: 'a' }),
      pull({ id: 'pul_4', status: 'failed', image: 'b' }),
      pull({ id: 'pul_3', status: 'completed', image: 'c' }),
      pull({ id: 'pul_2', status: 'failed', image: 'c' }),
      pull({ id: 'pul_1', status: 'failed', image: 'd', ...old }),
      pull({ id: 'pul_0', status: 'running', image: 'e', ...old }),
    ],
    now,
    [],
  )
  expect(shown.map(({ id }) => id)).toEqual(['pul_6', 'pul_4', 'pul_0'])
})

test('shows the newest three failures, each image once, except dismissed ones', () => {
  const failed = ['a', 'a', 'b', 'c', 'd', 'e'].map((image, n) =>
    pull({ id: `pul_${9 - n}`, status: 'failed', image }),
  )
  const shown = (...hidden: string[]) => visiblePulls(failed, now, hidden).map(({ id }) => id)
  expect(shown()).toEqual(['pul_9', 'pul_7', 'pul_6'])
  expect(shown('pul_9')).toEqual(['pul_7', 'pul_6'])
  expect(shown('pul_9', 'pul_7', 'pul_6')).toEqual([])
})

test('shows names of an image and the number of further ones', () => {
  const named = (...tags: string[]) => imageNames({ id: `sha256:${'a'.repeat(64)}`, tags })
  expect(named()).toEqual({ first: ['a'.repeat(12)], more: 0, all: 'a'.repeat(12) })
  expect(named('a', 'b')).toEqual({ first: ['a', 'b'], more: 0, all: 'a, b' })
  expect(named('a', 'b', 'c', 'd')).toMatchObject({ first: ['a', 'b', 'c', 'd'], more: 0 })
  expect(named('a', 'b', 'c', 'd', 'e')).toEqual({ first: ['a', 'b', 'c'], more: 2, all: 'a, b, c, d, e' })
})
