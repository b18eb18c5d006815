import type { z } from 'zod'
import type { foundRepository, foundTag } from '../../../contract/registries.ts'
import { StaleCache } from '../../platform/cache.ts'

export interface SearchPage<T> {
  items: T[]
  total: number
  next: string | null
}

export type RegistryRepository = z.input<typeof foundRepository>
export type Tag = z.input<typeof foundTag>

const minute = 60_000

/** Limits characters, because a registry can return lists of any length. */
const mostOfLists = 16 * 1024 ** 2
const countCharacters = (names: string[]) => names.reduce((all, { length }) => all + length + 20, 100)

export const createRegistryCaches = () => ({
  repositories: new StaleCache<SearchPage<RegistryRepository>>(10 * minute),
  tags: new StaleCache<SearchPage<Tag>>(5 * minute),
  lists: new StaleCache<string[]>(5 * minute, mostOfLists, countCharacters),
  hubTokens: new StaleCache<string>(4 * minute, 100),
})

export const pageSize = 25

export function slicePage<T>(all: T[], page: number): SearchPage<T> {
  const items = all.slice((page - 1) * pageSize, page * pageSize)
  return { items, total: all.length, next: page * pageSize < all.length ? String(page + 1) : null }
}
