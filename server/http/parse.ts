import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { describeIssue } from '../platform/describe-issue.ts'

const nothing = z.strictObject({})

export const maxProblems = 20

export function parseInput(schema: z.ZodType = nothing, value: unknown = {}): unknown {
  const read = schema.safeParse(value, { error: describeIssue })
  if (read.success) return read.data
  const errors = new Map<string, string[]>()
  for (const [field, message] of listProblems(read.error).slice(0, maxProblems)) {
    const shown = field.slice(0, 100)
    const before = errors.get(shown)
    if (before) before.push(message)
    else errors.set(shown, [message])
  }
  // `fromEntries` also accepts a field called __proto__.
  throw new Invalid(Object.fromEntries(errors))
}

const listProblems = (error: z.ZodError): [field: string, message: string][] =>
  error.issues.slice(0, maxProblems).flatMap((issue): [string, string][] => {
    const field = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [[field || 'body', issue.message]]
    return issue.keys
      .slice(0, maxProblems)
      .map((key) => [[field, key].filter(Boolean).join('.'), 'Unknown field.'])
  })
