import type { ComposeProblem } from './compose-check.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export const isError = ({ severity }: Pick<ComposeProblem, 'severity'>) => severity === 'error'

export function formatProblemCount(problems: readonly ComposeProblem[]): string {
  const errors = problems.filter(isError).length
  return [counted(errors, 'error'), counted(problems.length - errors, 'warning')]
    .filter(Boolean)
    .join(' and ')
}

const counted = (count: number, word: string) => count > 0 && formatCount(count, word)

export function firstErrorMessage(problems: readonly ComposeProblem[]): string | undefined {
  const [first, ...others] = problems.filter(isError)
  if (!first) return undefined
  const more =
    others.length > 0
      ? ` There ${others.length === 1 ? 'is 1 more error' : `are ${others.length} more errors`}.`
      : ''
  return `Line ${first.line}: ${first.message}${more}`
}

/** Returns a short message for places that already list the problems. */
export function fixErrorsMessage(problems: readonly Pick<ComposeProblem, 'severity'>[]): string | undefined {
  const many = problems.filter(isError).length
  if (many === 0) return undefined
  return `Fix the ${many === 1 ? 'error' : `${many} errors`} below first.`
}

/** The server starts an error about a line with the number of the line. */
export const isLineError = (refusal: string | undefined) => /^Line \d+: /.test(refusal ?? '')
