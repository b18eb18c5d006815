import type { z } from 'zod'

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

export function describeIssue(issue: z.core.$ZodRawIssue): string {
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
        : 'Has an invalid format.'
    default:
      return 'Is not valid.'
  }
}
