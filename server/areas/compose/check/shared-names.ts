import { mapOf, textOf } from '../read/loose.ts'

/**
 * The volumes and networks that a file takes by the name they have on the server: those of other applications have one too.
 * Of a file as it was written, or as Docker Compose has read it.
 */
export const sharedIn = (file: { volumes?: unknown; networks?: unknown }): string[] =>
  (['volumes', 'networks'] as const).flatMap((section) =>
    Object.entries(mapOf(file[section])).flatMap(([key, given]) => {
      const { name, external = false } = mapOf(given)
      const isShared = name !== undefined || (external !== false && external !== 'false')
      const called = textOf(name) ?? textOf(mapOf(external)['name']) ?? key
      return isShared ? [`${section.slice(0, -1)} ${called}`] : []
    }),
  )
