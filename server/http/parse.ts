import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { describeIssue } from '../platform/text/describe-issue.ts'

/** For what an endpoint does not take at all. */
const nothing = z.strictObject({})

/** Sentences of one reply: nobody corrects more at a time, and the reply stays small whatever was sent. */
export const maxProblems = 20

/** What the schema makes of the value, or 422 with a sentence for each field. */
export function parseInput(schema: z.ZodType = nothing, value: unknown = {}): unknown {
  const read = schema.safeParse(value, { error: describeIssue })
  if (read.success) return read.data
  const errors = new Map<string, string[]>()
  for (const [field, message] of problemsOf(read.error).slice(0, maxProblems)) {
    const shown = field.slice(0, 100)
    const before = errors.get(shown)
    if (before) before.push(message)
    else errors.set(shown, [message])
  }
  // Also for a field that is called __proto__.
  throw new Invalid(Object.fromEntries(errors))
}

const problemsOf = (error: z.ZodError): [field: string, message: string][] =>
  error.issues.slice(0, maxProblems).flatMap((issue): [string, string][] => {
    const field = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [[field || 'body', issue.message]]
    return issue.keys
      .slice(0, maxProblems)
      .map((key) => [[field, key].filter(Boolean).join('.'), 'Is not a known field.'])
  })
