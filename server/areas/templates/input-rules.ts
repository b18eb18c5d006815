import { errorAt, type Finding, type Path, warningAt } from '../compose/check/finding.ts'
import {
  inputValueProblem,
  isSlowPattern,
  newPatternBudget,
  type PatternBudget,
  patternProblem,
} from './check-value.ts'
import { generateValue } from './generate-value.ts'
import { inputVariables, variablesUsedIn } from './fill-inputs.ts'
import type { Input, Template } from './template-schema.ts'

const generated: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'domain'])
const patterned: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'email', 'url'])
const measured: ReadonlySet<Input['type']> = new Set([...patterned, 'number'])

export function inputRules({ inputs, http }: Template): Finding[] {
  const time = { values: newPatternBudget(), patterns: { left: 1_500 } }
  return [
    ...duplicateRules(inputs),
    ...inputs.flatMap((input, index) => [
      ...fieldRules(input, ['inputs', index], http !== null),
      ...valueRules(input, index, time),
    ]),
  ]
}

function duplicateRules(inputs: readonly Input[]): Finding[] {
  const known = new Set<string>()
  const clashes = inputs.flatMap((input, index) => {
    const same = inputVariables(input).find((name) => known.has(name))
    for (const name of inputVariables(input)) known.add(name)
    return same === undefined
      ? []
      : [errorAt(['inputs', index, 'name'], `Another input already provides ${same}. Choose another name.`)]
  })
  const [, ...more] = inputs.flatMap(({ type }, index) => (type === 'domain' ? [index] : []))
  return [
    ...clashes,
    ...more.map((index) => errorAt(['inputs', index, 'type'], 'Only one input can be a domain.')),
  ]
}

function fieldRules(input: Input, path: Path, hasHttp: boolean): Finding[] {
  const { type, default: value, generate, required, advanced, choices, pattern, min, max } = input
  const findings: Finding[] = []
  const report = (message: string, ...steps: Path) => findings.push(errorAt([...path, ...steps], message))
  const isDomain = type === 'domain'

  if (isDomain && !hasHttp) report('Set http with the service and port for the domain.')
  if (isDomain && value !== null)
    report('A domain cannot have a default. Use generate: domain instead.', 'default')
  if (generate && isDomain !== (generate.kind === 'domain'))
    report('The type domain and generate: domain must be used together.', 'generate')
  if (generate && value !== null)
    report('An input cannot have both default and generate. Remove one of them.', 'generate')
  if (generate && !generated.has(type)) report('Only text, secrets and domains can be generated.', 'generate')
  if (required && advanced && !generate && value === null)
    report(
      'A required input cannot be advanced without a value. Add default or generate, or remove advanced.',
      'advanced',
    )

  if (type === 'choice' && choices.length === 0) report('Add the options under choices.', 'type')
  if (type !== 'choice' && choices.length > 0)
    report('Only inputs of type choice can have choices.', 'choices')
  else
    for (const [step, choice] of choices.entries())
      if (choices.findIndex((earlier) => earlier.value === choice.value) < step)
        report('Duplicate choice.', 'choices', step)

  if (pattern !== null && !patterned.has(type))
    report(`An input of type ${type} cannot have a pattern.`, 'pattern')
  for (const [key, limit] of Object.entries({ min, max }))
    if (limit !== null && !measured.has(type)) report(`An input of type ${type} cannot have ${key}.`, key)
    else if (limit !== null && type !== 'number' && (!Number.isInteger(limit) || limit < 0))
      report('Must be a whole number of characters.', key)
  if (min !== null && max !== null && min > max) report('Must not be less than min.', 'max')
  return findings
}

function valueRules(
  input: Input,
  index: number,
  time: Record<'values' | 'patterns', PatternBudget>,
): Finding[] {
  const { type, default: value, generate: by, pattern } = input
  const unfit = pattern === null ? undefined : (patternProblem(pattern) ?? whyTooSlow(pattern, time.patterns))
  if (unfit !== undefined) return [errorAt(['inputs', index, 'pattern'], unfit)]
  const key = by ? 'generate' : 'default'
  const own = by && by.kind !== 'domain' ? generateValue(by) : value
  if (own === null || variablesUsedIn(own).length > 0) return []
  const reason = inputValueProblem(input, own, time.values)
  return [
    ...(reason === undefined
      ? []
      : [errorAt(['inputs', index, key], `The value does not match the rules of this input: ${reason}`)]),
    ...(type === 'secret' && value !== null && value !== ''
      ? [
          warningAt(
            ['inputs', index, 'default'],
            'Every deployment would use the same secret. Use generate instead.',
          ),
        ]
      : []),
  ]
}

function whyTooSlow(pattern: string, budget: PatternBudget): string | undefined {
  if (budget.left === 0 || (budget.left > 0 && !isSlowPattern(pattern, budget))) return undefined
  // Stop at the first problem to save time.
  budget.left = 0
  return 'This pattern is too slow. Avoid nested repetition, such as (a+)+.'
}
