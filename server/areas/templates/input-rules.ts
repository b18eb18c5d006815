import { warningAt, type Finding, errorAt } from '../compose/check/finding.ts'
import {
  inputValueProblem,
  isSlowPattern,
  newPatternBudget,
  type PatternBudget,
  patternProblem,
} from './check-value.ts'
import { generateValue } from './generate.ts'
import { inputVariables, variablesUsedIn } from './fill-inputs.ts'
import type { Input, Template } from './template-schema.ts'

const generated: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'domain'])
const patterned: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'email', 'url'])
const measured: ReadonlySet<Input['type']> = new Set([...patterned, 'number'])

export function inputRules({ inputs, http }: Template): Finding[] {
  const time = { values: newPatternBudget(), patterns: { left: 1_500 } }
  return [
    ...twice(inputs),
    ...inputs.flatMap((input, at) => [
      ...domainRules(input, at, http !== null),
      ...generatorRules(input, at),
      ...choiceRules(input, at),
      ...limitRules(input, at),
      ...valueRules(input, at, time),
    ]),
  ]
}

function twice(inputs: readonly Input[]): Finding[] {
  const known = new Set<string>()
  const clashes = inputs.flatMap((input, at) => {
    const same = inputVariables(input).find((name) => known.has(name))
    for (const name of inputVariables(input)) known.add(name)
    return same === undefined
      ? []
      : [errorAt(['inputs', at, 'name'], `Another input already provides ${same}. Choose another name.`)]
  })
  const [, ...more] = inputs.flatMap(({ type }, at) => (type === 'domain' ? [at] : []))
  return [...clashes, ...more.map((at) => errorAt(['inputs', at, 'type'], 'Only one input can be a domain.'))]
}

function domainRules({ type, default: value, generate: by }: Input, at: number, hasHttp: boolean): Finding[] {
  const isDomain = type === 'domain'
  return [
    ...(isDomain && !hasHttp
      ? [errorAt(['inputs', at], 'Set http with the service and port for the domain.')]
      : []),
    ...(isDomain && value !== null
      ? [errorAt(['inputs', at, 'default'], 'A domain cannot have a default. Use generate: domain instead.')]
      : []),
    ...(by && isDomain !== (by.kind === 'domain')
      ? [errorAt(['inputs', at, 'generate'], 'The type domain and generate: domain must be used together.')]
      : []),
  ]
}

function generatorRules(
  { type, default: value, generate: by, required, advanced }: Input,
  at: number,
): Finding[] {
  return [
    ...(by && value !== null
      ? [
          errorAt(
            ['inputs', at, 'generate'],
            'An input cannot have both default and generate. Remove one of them.',
          ),
        ]
      : []),
    ...(by && !generated.has(type)
      ? [errorAt(['inputs', at, 'generate'], 'Only text, secrets and domains can be generated.')]
      : []),
    ...(required && advanced && !by && value === null
      ? [
          errorAt(
            ['inputs', at, 'advanced'],
            'A required input cannot be advanced without a value. Add default or generate, or remove advanced.',
          ),
        ]
      : []),
  ]
}

function choiceRules({ type, choices }: Input, at: number): Finding[] {
  if (type === 'choice' && choices.length === 0)
    return [errorAt(['inputs', at, 'type'], 'Add the options under choices.')]
  if (type !== 'choice' && choices.length > 0)
    return [errorAt(['inputs', at, 'choices'], 'Only inputs of type choice can have choices.')]
  const values = choices.map(({ value }) => value)
  return values.flatMap((value, step) =>
    values.indexOf(value) < step ? [errorAt(['inputs', at, 'choices', step], 'Duplicate choice.')] : [],
  )
}

function limitRules({ type, pattern, min, max }: Input, at: number): Finding[] {
  const limits = [['min', min] as const, ['max', max] as const].filter(([, value]) => value !== null)
  return [
    ...(pattern !== null && !patterned.has(type)
      ? [errorAt(['inputs', at, 'pattern'], `An input of type ${type} cannot have a pattern.`)]
      : []),
    ...limits.flatMap(([key, value]) => {
      if (!measured.has(type))
        return [errorAt(['inputs', at, key], `An input of type ${type} cannot have ${key}.`)]
      return type === 'number' || (Number.isInteger(value) && Number(value) >= 0)
        ? []
        : [errorAt(['inputs', at, key], 'Must be a whole number of characters.')]
    }),
    ...(min !== null && max !== null && min > max
      ? [errorAt(['inputs', at, 'max'], 'Must not be less than min.')]
      : []),
  ]
}

function valueRules(input: Input, at: number, time: Record<'values' | 'patterns', PatternBudget>): Finding[] {
  const { type, default: value, generate: by, pattern } = input
  const unfit = pattern === null ? undefined : (patternProblem(pattern) ?? whyTooSlow(pattern, time.patterns))
  if (unfit !== undefined) return [errorAt(['inputs', at, 'pattern'], unfit)]
  const key = by ? 'generate' : 'default'
  const own = by && by.kind !== 'domain' ? generateValue(by) : value
  if (own === null || variablesUsedIn(own).length > 0) return []
  const why = inputValueProblem(input, own, time.values)
  return [
    ...(why === undefined
      ? []
      : [errorAt(['inputs', at, key], `The value does not match the rules of this input: ${why}`)]),
    ...(type === 'secret' && value !== null && value !== ''
      ? [
          warningAt(
            ['inputs', at, 'default'],
            'Every deployment would use the same secret. Use generate instead.',
          ),
        ]
      : []),
  ]
}

function whyTooSlow(pattern: string, patience: PatternBudget): string | undefined {
  if (patience.left === 0 || (patience.left > 0 && !isSlowPattern(pattern, patience))) return undefined
  // Stop at the first problem to save time.
  patience.left = 0
  return 'This pattern is too slow. Avoid nested repetition, such as (a+)+.'
}
