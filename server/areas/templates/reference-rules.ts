import { type Finding, type Path, wrong } from '../compose/finding.ts'
import { didYouMean } from '../compose/nearest.ts'
import { short } from '../compose/to-value.ts'
import { inOrder, takenBy, variablesOf } from './needs.ts'
import type { Template } from './template-schema.ts'

/** What defaults and notes take from inputs has to be there, and must not go round in a circle. */
export function referenceRules({ inputs, notes }: Template): Finding[] {
  const known = inputs.flatMap((input) => variablesOf(input))
  return [
    ...inputs.flatMap((input, at) => unknownIn(input.default ?? '', ['inputs', at, 'default'], known)),
    ...unknownIn(notes ?? '', ['notes'], known),
    ...inOrder(inputs).circles.map((circle) => {
      const [first] = circle
      const names = circle.map(({ name }) => name).join(' → ')
      return wrong(
        ['inputs', first ? inputs.indexOf(first) : 0, 'default'],
        `These inputs take their values from each other, so that none has one: ${names}. Give one of them a value of its own.`,
      )
    }),
  ]
}

const unknownIn = (text: string, path: Path, known: readonly string[]): Finding[] =>
  takenBy(text).flatMap(({ name, wrong: why }) => {
    if (name === '') return why === undefined ? [] : [wrong(path, why)]
    if (known.includes(name)) return []
    return [wrong(path, `There is no input ${short(name)}.${didYouMean(name, known)}`)]
  })
