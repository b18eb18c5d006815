import { readMappings, readPairs } from '../../../../contract/shared/entries.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'

/** Counts the variables in a text; undefined while it is empty. */
export function countVariables(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const keys = new Set(readPairs(text).map(({ key }) => key)).size
  return `${formatCount(keys, 'variable')}.`
}

/** Counts `source:target` lines; undefined while the text is empty. */
export function countMappings(text: string, one: string): string | undefined {
  const { length } = readMappings(text)
  return length === 0 ? undefined : `${formatCount(length, one)}.`
}
