import { describeDotenvProblem, type DotenvEntry, readDotenv } from '../../../../contract/shared/dotenv.ts'
import { variableName } from '../../../../contract/shared/entries.ts'

const most = 5

export function listVariableWarnings(text: string): string[] {
  const { entries, nameless, hasComments, problems } = readDotenv(text)
  const remarks = [
    ...problems,
    ...nameless.map((line) => ({
      line,
      message: 'The name before the equals sign is missing. The line is ignored.',
    })),
    ...entries.flatMap((entry) => {
      const message = findRemark(entry)
      return message === undefined ? [] : [{ line: entry.line, message }]
    }),
  ]
  const all = [
    ...remarks.toSorted((a, b) => a.line - b.line).map(describeDotenvProblem),
    ...repeated(entries.map(({ key }) => key)),
    ...(hasComments ? ['Comments are not saved.'] : []),
  ]
  return all.length > most ? [...all.slice(0, most), `And ${all.length - most} more.`] : all
}

function findRemark({ key, value, isBare, replaced }: DotenvEntry): string | undefined {
  if (!variableName.test(key)) return 'The name is invalid.'
  if (isBare) return `The equals sign is missing. ${key} is set to an empty value.`
  if (value.startsWith('#')) return `The value of ${key} starts with #. Remove the value if it is a comment.`
  const [first] = replaced
  if (first === undefined) return undefined
  return first === '$$'
    ? '$$ is read as $. To keep $$, put the value in single quotes.'
    : `${first} is replaced by its value. To keep ${first}, put the value in single quotes.`
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

/** The remarks change while the user types, so screen readers must announce them. */
export const FieldWarnings = ({ remarks }: { remarks: readonly string[] }) => (
  <ul aria-live="polite" className="flex flex-col gap-1 text-sm text-yellow-ink empty:hidden">
    {remarks.map((remark) => (
      <li key={remark}>{remark}</li>
    ))}
  </ul>
)
