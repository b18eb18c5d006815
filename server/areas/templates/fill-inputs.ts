import type { Pair } from '../../../contract/shared/entries.ts'
import type { ApplicationAddress } from '../applications/plan-application.ts'
import type { FieldProblems } from '../applications/entries/ports.ts'
import { didYouMean } from '../compose/check/closest-match.ts'
import { interpolate } from '../compose/read/interpolate.ts'
import { inputValueProblem, newPatternBudget } from './check-value.ts'
import { generateValue } from './generate-value.ts'
import type { Input } from './template-schema.ts'

export type InputValues = Record<string, string | number | boolean>

export interface FilledInputs {
  env: Pair[]
  problems: FieldProblems
}

export function fillInputs(
  inputs: readonly Input[],
  entered: InputValues,
  address: ApplicationAddress | undefined,
): FilledInputs {
  const env = inputVariableValues(inputs, entered, address)
  const values = new Map(env.map(({ key, value }) => [key, value]))
  const problems = unknownIn(inputs, entered)
  const budget = newPatternBudget()
  for (const input of inputs) {
    const typed = typedFor(input, entered)
    const value = values.get(input.name) ?? ''
    const odd = typed === undefined ? undefined : whyOddlyTyped(input, typed)
    const why = odd ?? whyMissing(input, typed, value) ?? inputValueProblem(input, value, budget)
    if (why !== undefined) problems[`inputs.${input.name}`] = [why]
  }
  return { env, problems }
}

export function inputVariableValues(
  inputs: readonly Input[],
  entered: InputValues,
  address: ApplicationAddress | undefined,
): FilledInputs['env'] {
  const values = new Map<string, string>()
  for (const input of orderInputs(inputs).order) {
    const isDomain = input.type === 'domain'
    values.set(
      input.name,
      isDomain ? (address?.host ?? '') : resolveValue(input, typedFor(input, entered), values),
    )
    if (isDomain) values.set(`${input.name}_URL`, address?.url ?? '')
  }
  return inputs
    .flatMap((input) => inputVariables(input))
    .map((key) => ({ key, value: values.get(key) ?? '' }))
}

const typedFor = ({ name }: Input, entered: InputValues) =>
  Object.hasOwn(entered, name) ? entered[name] : undefined

function unknownIn(inputs: readonly Input[], entered: InputValues): FieldProblems {
  const names = inputs.map(({ name }) => name)
  return Object.fromEntries(
    Object.keys(entered)
      .filter((name) => !names.includes(name))
      .map((name) => [
        `inputs.${name}`,
        [`${didYouMean(name, names)} This template has no input ${name}.`.trim()],
      ]),
  )
}

/** Numbers and flags may arrive as text, as forms send them. */
function whyOddlyTyped({ type }: Input, typed: string | number | boolean): string | undefined {
  if (typeof typed === 'string' || type === 'choice') return undefined
  if (type === 'number') return typeof typed === 'number' ? undefined : 'Must be a number.'
  if (type === 'boolean') return typeof typed === 'boolean' ? undefined : 'Must be true or false.'
  return 'Must be text.'
}

/** An empty input with `generate` is generated; an emptied input with a default stays empty. */
function resolveValue(
  input: Input,
  typed: string | number | boolean | undefined,
  values: ReadonlyMap<string, string>,
): string {
  if (typed !== undefined && (typed !== '' || !input.generate)) return String(typed)
  if (input.generate) return generateValue(input.generate)
  return interpolate(input.default ?? '', values, { left: 100_000 }).text
}

function whyMissing(input: Input, typed: unknown, value: string): string | undefined {
  if (value !== '' || !input.required) return undefined
  if (input.type === 'domain') return 'Enter a domain. The server has no public address to generate one from.'
  return typed === undefined ? 'Is required.' : undefined
}

export const variablesUsedIn = (text: string) => interpolate(text, new Map(), { left: 100_000 }).uses

export const inputVariables = ({ name, type }: Pick<Input, 'name' | 'type'>): string[] =>
  type === 'domain' ? [name, `${name}_URL`] : [name]

export function orderInputs(inputs: readonly Input[]): { order: Input[]; circles: Input[][] } {
  const givers = new Map(
    inputs.flatMap((input) => inputVariables(input).map((name) => [name, input] as const)),
  )
  const order = new Set<Input>()
  const circles: Input[][] = []
  const visit = (input: Input, path: Input[]): void => {
    const before = path.indexOf(input)
    if (before >= 0) circles.push([...path.slice(before), input])
    if (before >= 0 || order.has(input)) return
    const taken = new Set(variablesUsedIn(input.default ?? '').map(({ name }) => name))
    for (const name of taken) {
      const giver = givers.get(name)
      if (giver) visit(giver, [...path, input])
    }
    order.add(input)
  }
  for (const input of inputs) visit(input, [])
  return { order: [...order], circles }
}
