import { readMappings, readPairs } from '../../../../contract/shared/entries.ts'

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What is read of a text with a variable a line; undefined while nothing was typed. */
export function variablesInWords(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const keys = new Set(readPairs(text).map(({ key }) => key)).size
  return `${counted(keys, 'variable')}.`
}

/** The same of `source:target` a line, where nothing is left out. */
export function mappingsInWords(text: string, one: string): string | undefined {
  const { length } = readMappings(text)
  return length === 0 ? undefined : `${counted(length, one)}.`
}
