import { toMap, toText } from '../read/untyped.ts'

/**
 * The volumes and networks that a file takes by the name they have on the server: those of other applications have one too.
 * Of a file as it was written, or as Docker Compose has read it.
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
