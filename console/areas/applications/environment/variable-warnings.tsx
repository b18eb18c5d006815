import { readPairs, variableName } from '../../../../contract/shared/entries.ts'

const most = 5

export function listVariableWarnings(text: string): string[] {
  const lines = text.split(/\r?\n/).flatMap((line, index) => remarkOn(line, index + 1) ?? [])
  const all = [...lines, ...repeated(readPairs(text).map(({ key }) => key))]
  return all.length > most ? [...all.slice(0, most), `And ${all.length - most} more.`] : all
}

function remarkOn(line: string, number: number): string | undefined {
  const text = line.trim()
  if (text === '') return undefined
  if (text.startsWith('=')) return `Line ${number}: no name before the equals sign. The line is ignored.`
  const equals = text.indexOf('=')
  const key = equals < 0 ? text : text.slice(0, equals).trim()
  if (!variableName.test(key))
    return text.startsWith('#')
      ? `Line ${number}: comments are not supported. Remove it.`
      : `Line ${number}: invalid name.`
  return equals < 0 ? `Line ${number}: no equals sign. ${key} is set to an empty value.` : undefined
}

function repeated(keys: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(
      ([key, count]) => `${key} is set ${count === 2 ? 'twice' : `${count} times`}. The last value is used.`,
    )
}

/** Announced by screen readers, as the remarks change while typing. */
export const FieldWarnings = ({ remarks }: { remarks: readonly string[] }) => (
  <ul aria-live="polite" className="flex flex-col gap-1 text-sm text-yellow-ink empty:hidden">
    {remarks.map((remark) => (
      <li key={remark}>{remark}</li>
    ))}
  </ul>
)
