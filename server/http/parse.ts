import { z } from 'zod'
import { Invalid } from '../errors.ts'

/** For what an endpoint does not take at all. */
const nothing = z.strictObject({})

/** What the schema makes of the value, or 422 with a sentence for each field. */
export function parse(schema: z.ZodType = nothing, value: unknown = {}): unknown {
  const read = schema.safeParse(value, { error: sentence })
  if (read.success) return read.data
  const errors: Record<string, string[]> = {}
  for (const issue of read.error.issues) {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        add(errors, [field, key].filter(Boolean).join('.'), 'Is not a known field.')
    else add(errors, field || 'body', issue.message)
  }
  throw new Invalid(errors)
}

function add(errors: Record<string, string[]>, field: string, message: string) {
  const shown = field.slice(0, 100)
  const before = Object.hasOwn(errors, shown) ? (errors[shown] ?? []) : []
  Object.defineProperty(errors, shown, {
    value: [...before, message],
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function sentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Is required.'
        : `Must be ${kinds[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return issue.input === undefined
        ? 'Is required.'
        : `Must be one of ${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'Must be a time such as 2030-01-31T12:00:00Z.'
        : 'Does not have the right form.'
    default:
      return 'Is not valid.'
  }
}
