/* Treats values of an unexpected type as empty, because the schema check has reported them. */

export const toMap = (value: unknown): Record<string, unknown> => (isMap(value) ? value : {})

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Docker Compose prints unset keys as empty maps or lists. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

export const namesWithSteps = (value: unknown): { name: string; step: string | number }[] =>
  Array.isArray(value)
    ? value.flatMap((item, step) => (typeof item === 'string' ? [{ name: item, step }] : []))
    : Object.keys(toMap(value)).map((name) => ({ name, step: name }))
