import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { issueSentence } from '../platform/issue-sentence.ts'

/** For what an endpoint does not take at all. */
const nothing = z.strictObject({})

/** What the schema makes of the value, or 422 with a sentence for each field. */
export function parse(schema: z.ZodType = nothing, value: unknown = {}): unknown {
  const read = schema.safeParse(value, { error: issueSentence })
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
