import type { ComposeProblem } from './check-query.ts'

export const isError = ({ severity }: Pick<ComposeProblem, 'severity'>) => severity === 'error'

/** "2 mistakes and 1 warning" */
export function countInWords(problems: readonly ComposeProblem[]): string {
  const errors = problems.filter(isError).length
  return [counted(errors, 'mistake'), counted(problems.length - errors, 'warning')]
    .filter(Boolean)
    .join(' and ')
}

const counted = (count: number, word: string) => count > 0 && `${count} ${word}${count === 1 ? '' : 's'}`

/** Why one cannot go on with a file; undefined where one can. */
export function refusalOf(problems: readonly ComposeProblem[]): string | undefined {
  const [first, ...others] = problems.filter(isError)
  if (!first) return undefined
  const more =
    others.length > 0
      ? ` There ${others.length === 1 ? 'is 1 more mistake' : `are ${others.length} more mistakes`}.`
      : ''
  return `Line ${first.line}: ${first.message}${more}`
}

/** Whether a refusal is about a mistake in the file, and not about the file as a whole. */
export const isAtLine = (refusal: string | undefined) => /^Line \d+: /.test(refusal ?? '')
