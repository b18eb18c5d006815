import { toMap, toText } from '../read/untyped.ts'

/**
 * Lists volumes and networks with explicit names, which other applications may use too. Accepts a file as written or
 * as resolved by Docker Compose.
 */
export const sharedResourceNames = (file: { volumes?: unknown; networks?: unknown }): string[] =>
  (['volumes', 'networks'] as const).flatMap((section) =>
    Object.entries(toMap(file[section])).flatMap(([key, given]) => {
      const { name, external = false } = toMap(given)
      const isShared = name !== undefined || (external !== false && external !== 'false')
      const called = toText(name) ?? toText(toMap(external)['name']) ?? key
      return isShared ? [`${section.slice(0, -1)} ${called}`] : []
    }),
  )
