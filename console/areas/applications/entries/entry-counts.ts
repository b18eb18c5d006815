import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { readMappings } from '../../../../contract/shared/entries.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'

export function countVariables(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const keys = new Set(readVariables(text).map(({ key }) => key)).size
  return `${formatCount(keys, 'variable')}.`
}

export function countMappings(text: string, one: string): string | undefined {
  const { length } = readMappings(text)
  return length === 0 ? undefined : `${formatCount(length, one)}.`
}
