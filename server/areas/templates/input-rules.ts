import { doubtful, type Finding, wrong } from '../compose/check/finding.ts'
import { whyUnfit } from './check-value.ts'
import { generate } from './generate.ts'
import { takenBy, variablesOf } from './needs.ts'
import type { Input, Template } from './template-schema.ts'
import { isSlow, newPatience, type Patience, whyNoPattern } from './test-pattern.ts'

const generated: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'domain'])
const patterned: ReadonlySet<Input['type']> = new Set(['text', 'secret', 'email', 'url'])
const measured: ReadonlySet<Input['type']> = new Set([...patterned, 'number'])

/** What every input has to be for itself, and beside the others. */
export function inputRules({ inputs, http }: Template): Finding[] {
  const time = { values: newPatience(), patterns: { left: 1_500 } }
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
    const same = variablesOf(input).find((name) => known.has(name))
    for (const name of variablesOf(input)) known.add(name)
    return same === undefined
      ? []
      : [wrong(['inputs', at, 'name'], `Another input before this one gives ${same}. Call it otherwise.`)]
  })
  const [, ...more] = inputs.flatMap(({ type }, at) => (type === 'domain' ? [at] : []))
  return [
    ...clashes,
    ...more.map((at) =>
      wrong(
        ['inputs', at, 'type'],
        'Only one input can be a domain: an application has one address at first.',
      ),
    ),
  ]
}

function domainRules({ type, default: value, generate: by }: Input, at: number, hasHttp: boolean): Finding[] {
  const isDomain = type === 'domain'
  return [
    ...(isDomain && !hasHttp
      ? [wrong(['inputs', at], 'Name under http which service the domain leads to, and its port.')]
      : []),
    ...(isDomain && value !== null
      ? [
          wrong(
            ['inputs', at, 'default'],
            'Nobody has the same domain as another. Write generate: domain instead.',
          ),
        ]
      : []),
    ...(by && isDomain !== (by.kind === 'domain')
      ? [wrong(['inputs', at, 'generate'], 'The type domain and generate: domain only go together.')]
      : []),
  ]
}

function generatorRules(
  { type, default: value, generate: by, required, asked }: Input,
  at: number,
): Finding[] {
  return [
    ...(by && value !== null
      ? [
          wrong(
            ['inputs', at, 'generate'],
            'It has a default, so nothing is generated. Take one of them out.',
          ),
        ]
      : []),
    ...(by && !generated.has(type)
      ? [wrong(['inputs', at, 'generate'], 'Only text, secrets and domains can be generated.')]
      : []),
    ...(required && !asked && !by && value === null
      ? [
          wrong(
            ['inputs', at, 'advanced'],
            'Nobody would find it there, and it is required. Give it a default or a generator, or take advanced out.',
          ),
        ]
      : []),
  ]
}

function choiceRules({ type, choices }: Input, at: number): Finding[] {
  if (type === 'choice' && choices.length === 0)
    return [wrong(['inputs', at, 'type'], 'Name what there is to choose from under choices.')]
  if (type !== 'choice' && choices.length > 0)
    return [wrong(['inputs', at, 'choices'], 'Only an input of the type choice has choices.')]
  const values = choices.map(({ value }) => value)
  return values.flatMap((value, step) =>
    values.indexOf(value) < step
      ? [wrong(['inputs', at, 'choices', step], 'This choice is there twice.')]
      : [],
  )
}

function limitRules({ type, pattern, min, max }: Input, at: number): Finding[] {
  const limits = [['min', min] as const, ['max', max] as const].filter(([, value]) => value !== null)
  return [
    ...(pattern !== null && !patterned.has(type)
      ? [wrong(['inputs', at, 'pattern'], `An input of the type ${type} has no pattern.`)]
      : []),
    ...limits.flatMap(([key, value]) => {
      if (!measured.has(type))
        return [wrong(['inputs', at, key], `An input of the type ${type} has no ${key}.`)]
      return type === 'number' || (Number.isInteger(value) && Number(value) >= 0)
        ? []
        : [wrong(['inputs', at, key], 'This counts characters: it must be a whole number.')]
    }),
    ...(min !== null && max !== null && min > max
      ? [wrong(['inputs', at, 'max'], 'Must not be less than min.')]
      : []),
  ]
}

/** What it gets by itself has to be what it asks of others. */
function valueRules(input: Input, at: number, time: Record<'values' | 'patterns', Patience>): Finding[] {
  const { type, default: value, generate: by, pattern } = input
  const unfit = pattern === null ? undefined : (whyNoPattern(pattern) ?? whyTooSlow(pattern, time.patterns))
  if (unfit !== undefined) return [wrong(['inputs', at, 'pattern'], unfit)]
  const key = by ? 'generate' : 'default'
  const own = by && by.kind !== 'domain' ? generate(by) : value
  if (own === null || takenBy(own).length > 0) return []
  const why = whyUnfit(input, own, time.values)
  return [
    ...(why === undefined
      ? []
      : [wrong(['inputs', at, key], `This does not fit what the input asks for: ${why}`)]),
    ...(type === 'secret' && value !== null && value !== ''
      ? [
          doubtful(
            ['inputs', at, 'default'],
            'All who deploy this get the same secret. Have it generated instead.',
          ),
        ]
      : []),
  ]
}

function whyTooSlow(pattern: string, patience: Patience): string | undefined {
  if (patience.left === 0 || (patience.left > 0 && !isSlow(pattern, patience))) return undefined
  // One is enough to refuse it: nobody waits for the others as well.
  patience.left = 0
  return 'It takes too long to tell whether a text fits this pattern. Write it so that nothing in it repeats what repeats already, as in (a+)+.'
}
