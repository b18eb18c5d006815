import { interpolate } from '../compose/read/interpolate.ts'
import type { Input } from './template-schema.ts'

export const variablesUsedIn = (text: string) => interpolate(text, new Map(), { left: 100_000 }).uses

/** An input of a domain gives two variables: its host, and the whole address. */
export const inputVariables = ({ name, type }: Pick<Input, 'name' | 'type'>): string[] =>
  type === 'domain' ? [name, `${name}_URL`] : [name]

interface OrderedInputs {
  /** Each after those that its default takes. */
  order: Input[]
  circles: Input[][]
}

export function orderInputs(inputs: readonly Input[]): OrderedInputs {
  const givers = new Map(inputs.flatMap((one) => inputVariables(one).map((name) => [name, one] as const)))
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
