import { z } from 'zod'
import { domainFields } from '../../../contract/domains.ts'
import { email } from '../../../contract/shared/text-fields.ts'
import type { Input } from './template-schema.ts'
import { type Context, createContext, Script } from 'node:vm'

export function inputValueProblem(
  input: Input,
  value: string,
  processorTime: PatternBudget,
): string | undefined {
  if (value === '') return input.required ? 'Must not be empty.' : undefined
  return (
    whyNotOfType(input, value) ?? whyNotWithin(input, value) ?? whyNotOfPattern(input, value, processorTime)
  )
}

function whyNotOfType({ type, choices }: Input, value: string): string | undefined {
  if (type === 'choice')
    return choices.some((choice) => choice.value === value)
      ? undefined
      : `Must be one of ${choices.map((choice) => choice.value).join(', ')}.`
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

function whyNotOfPattern(
  { pattern }: Input,
  value: string,
  processorTime: PatternBudget,
): string | undefined {
  if (pattern === null) return undefined
  const fits = matchesPattern(pattern, value, processorTime)
  if (fits === undefined)
    return 'Checking this value against the pattern of the template timed out. Try again, or change the pattern.'
  return fits ? undefined : `Must match the pattern “${pattern}”.`
}

/**
 * Milliseconds of processor time for all patterns of a request, because other requests wait meanwhile. Time does not
 * count while a busy machine suspends the script.
 */
export interface PatternBudget {
  left: number
}

export const newPatternBudget = (): PatternBudget => ({ left: 500 })

/** Returns whether a text matches; undefined after a timeout. */
const matchesPattern = (pattern: string, value: string, processorTime: PatternBudget): boolean | undefined =>
  testWithRetries(pattern, [value], processorTime.left / 2, 0.9 * processorTime.left, processorTime)

/** Tries at most eight times, with a longer timeout from the fourth attempt on, while processor time is left. */
function testWithRetries(
  pattern: string,
  values: readonly string[],
  first: number,
  budget: number,
  processorTime: PatternBudget,
): boolean | undefined {
  const least = processorTime.left - budget
  for (let tries = 0; tries < 8 && processorTime.left > least; tries++) {
    const fits = testAll(pattern, values, first * 2 ** Math.max(0, tries - 2), processorTime)
    if (fits !== undefined) return fits
  }
  return undefined
}

function testAll(
  pattern: string,
  values: readonly string[],
  timeout: number,
  processorTime: PatternBudget,
): boolean | undefined {
  const context = contextFor(pattern, values)
  const [began, before] = [performance.now(), process.cpuUsage()]
  const cpuTime = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  try {
    // A hostile pattern can run forever, and only a script in its own context can be stopped.
    const fits: unknown = script.runInContext(context, { timeout: Math.ceil(timeout) })
    const { spent }: { spent?: unknown } = context
    processorTime.left -= Math.min(Number(spent), cpuTime())
    return fits === true
  } catch {
    processorTime.left -= Math.min(performance.now() - began, cpuTime())
    return undefined
  }
}

/** The script measures its own time, because starting it can take longer than the pattern on a busy machine. */
const script = new Script(`((began, form) => {
  const all = values.map((value) => form.test(value)).every(Boolean)
  spent = Date.now() - began
  return all
})(Date.now(), new RegExp(pattern, 'u'))`)
const shared: { context?: Context } = {}

/** Reuses one context, because creating one takes longer than most patterns. */
function contextFor(pattern: string, values: readonly string[]): Context {
  shared.context ??= createContext({})
  return Object.assign(shared.context, { pattern, values, spent: 0 })
}

/** Near matches, on which catastrophic backtracking takes longest. */
const probes = ['sample', ...['a', '1', 'a1', 'a-', 'a.'].map((part) => `${part.repeat(40)}!`)]
/** Milliseconds for all samples; most patterns need a hundredth. */
const quick = 50

export const isSlowPattern = (pattern: string, processorTime: PatternBudget): boolean =>
  stepsIn(pattern) > 10_000 ||
  testWithRetries(pattern, probes, quick, 2.5 * quick, processorTime) === undefined

const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|[^]/gu

/** Counts the steps of a pattern with its repetitions written out, because nothing can stop the compilation of a huge one. */
function stepsIn(pattern: string): number {
  const outer: number[] = []
  let steps = 0
  let last = 0
  for (const { 0: token, groups } of pattern.matchAll(tokens)) {
    if (token === '(') {
      outer.push(steps)
      steps = 0
    } else if (token === ')') {
      last = steps
      steps += outer.pop() ?? 0
    } else if (groups?.['least'] === undefined) {
      last = 1
      steps += 1
    } else {
      const times = Math.max(Number(groups['least']), Number(groups['most'] ?? 0))
      steps += last * (times - 1)
    }
  }
  return steps
}

export function patternProblem(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u')
    return undefined
  } catch {
    return 'Invalid regular expression.'
  }
}
