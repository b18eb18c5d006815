import type { Pair } from '../../../contract/entries.ts'
import { type GivenInputs, valuesOf } from './fill-inputs.ts'
import type { Input } from './template-schema.ts'

/** What the inputs of a template could be, for looking at it before anybody has filled them in. */
export const sampleInputs = (inputs: readonly Input[]): Pair[] =>
  valuesOf(
    inputs,
    Object.fromEntries(inputs.flatMap((one): [string, GivenInputs[string]][] => sampleOf(one))),
    { host: 'app.example.com', url: 'https://app.example.com' },
  )

function sampleOf(input: Input): [string, GivenInputs[string]][] {
  if (input.default !== null || input.generate) return []
  const value = {
    text: 'sample',
    secret: 'sample',
    number: input.min ?? 1,
    boolean: false,
    choice: input.choices[0]?.value ?? '',
    email: 'ada@example.com',
    url: 'https://example.com',
    domain: 'app.example.com',
  }[input.type]
  return [[input.name, value]]
}
