/*
 * Rules look at files that may be wrong in many ways at once: what is not of the kind they look for counts as empty,
 * since the specification has told of it already.
 */

export const toMap = (value: unknown): Record<string, unknown> => (isMap(value) ? value : {})

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Whether it says nothing: Docker Compose writes an empty map or list where the file says nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Names that stand as a list or as the keys of a mapping, each with where it stands. */
export const namesWithSteps = (value: unknown): { name: string; step: string | number }[] =>
  Array.isArray(value)
    ? value.flatMap((one, step) => (typeof one === 'string' ? [{ name: one, step }] : []))
    : Object.keys(toMap(value)).map((name) => ({ name, step: name }))
