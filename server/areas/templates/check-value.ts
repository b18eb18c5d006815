import { z } from 'zod'
import { domainFields } from '../../../contract/domains.ts'
import { email } from '../../../contract/shared/ids.ts'
import type { Input } from './template-schema.ts'
import { matchesPattern, type PatternBudget } from './match-pattern.ts'

/** Why a value does not fit its input, as a sentence; nothing where it does. */
export function inputValueProblem(input: Input, value: string, patience: PatternBudget): string | undefined {
  if (value === '') return input.required ? 'Must not be empty.' : undefined
  return whyNotOfType(input, value) ?? whyNotWithin(input, value) ?? whyNotOfPattern(input, value, patience)
}

function whyNotOfType({ type, choices }: Input, value: string): string | undefined {
  if (type === 'choice')
    return choices.some((one) => one.value === value)
      ? undefined
      : `Must be one of ${choices.map((one) => one.value).join(', ')}.`
  return forms[type]?.safeParse(value).error?.issues[0]?.message
}

const url = z.string().refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
  error: 'Must be a URL that starts with https:// or http://.',
})

const forms: Partial<Record<Input['type'], z.ZodType>> = {
  number: z.string().regex(/^-?\d+(?:\.\d+)?$/, { error: 'Must be a number.' }),
  boolean: z.enum(['true', 'false'], { error: 'Must be true or false.' }),
  email,
  url,
  domain: domainFields.host,
}

function whyNotWithin({ type, min, max }: Input, value: string): string | undefined {
  const isNumber = type === 'number'
  const size = isNumber ? Number(value) : value.length
  const [what, unit] = isNumber ? ['Must be', ''] : ['Must have', ' characters']
  if (min !== null && size < min) return `${what} at least ${min}${unit}.`
  if (max !== null && size > max) return `${what} at most ${max}${unit}.`
  return undefined
}

function whyNotOfPattern({ pattern }: Input, value: string, patience: PatternBudget): string | undefined {
  if (pattern === null) return undefined
  const fits = matchesPattern(pattern, value, patience)
  if (fits === undefined)
    return 'Checking this value against the pattern of the template timed out. Try again, or change the pattern.'
  return fits ? undefined : `Must match the pattern “${pattern}”.`
}
