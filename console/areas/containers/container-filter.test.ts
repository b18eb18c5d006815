import { expect, it } from 'vitest'
import { matchesSearch, matchesStateFilter } from './container-filter.ts'

const web = { id: 'abc123def', name: 'shop-web-1', image: 'nginx:1.27', project: 'shop', service: 'web' }

it('finds containers by name, image, group and ID prefix', () => {
  const found = ['', 'SHOP-', 'nginx', ' web ', 'abc1', '123', 'redis'].filter((q) => matchesSearch(web, q))
  expect(found).toEqual(['', 'SHOP-', 'nginx', ' web ', 'abc1'])
  expect(matchesSearch({ ...web, project: null, service: null }, 'null')).toBe(false)
})

it('filters by state, and ignores an unknown filter', () => {
  const shown = (show: string) =>
    (['running', 'paused', 'exited', 'created'] as const).filter((state) =>
      matchesStateFilter({ state }, show),
    )
  expect(shown('running')).toEqual(['running', 'paused'])
  expect(shown('stopped')).toEqual(['exited', 'created'])
  expect(shown('zzz')).toHaveLength(4)
})
