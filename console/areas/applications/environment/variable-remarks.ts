import { readPairs, variableName } from '../../../../contract/shared/entries.ts'

/** Nobody reads a hundred. */
const most = 5

/** What should be known of a text with a variable a line before it is saved: what is left out of it, and what is merged. */
export function remarksOn(text: string): string[] {
  const lines = text.split(/\r?\n/).flatMap((line, index) => remarkOn(line, index + 1) ?? [])
  const all = [...lines, ...repeated(readPairs(text).map(({ key }) => key))]
  return all.length > most ? [...all.slice(0, most), `And ${all.length - most} more like these.`] : all
}

function remarkOn(line: string, number: number): string | undefined {
  const text = line.trim()
  if (text === '') return undefined
  if (text.startsWith('=')) return `Line ${number} is not KEY=value: it is left out.`
  const equals = text.indexOf('=')
  const key = equals < 0 ? text : text.slice(0, equals).trim()
  if (!variableName.test(key))
    return text.startsWith('#')
      ? `Line ${number} is a remark, which has no place here: take it out.`
      : `Line ${number} is not KEY=value: what stands before the equals sign is no name.`
  return equals < 0 ? `Line ${number} has no equals sign: ${key} is set to nothing.` : undefined
}

function repeated(keys: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(
      ([key, count]) => `${key} is given ${count === 2 ? 'twice' : `${count} times`}, the last one counts.`,
    )
}
