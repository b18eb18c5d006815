import { isScalar } from 'yaml'
import type { z } from 'zod'
import { describeIssue } from '../../platform/text/describe-issue.ts'
import { Places } from '../compose/check/find-node.ts'
import {
  type ComposeProblem,
  type Finding,
  type Mark,
  wrong,
  wrongKey,
  type Path,
} from '../compose/check/finding.ts'
import { didYouMean } from '../compose/check/nearest.ts'
import { placeProblems } from '../compose/check/place-problems.ts'
import { readYaml } from '../compose/read/read-yaml.ts'
import { resolveAliases } from '../compose/read/resolve-aliases.ts'
import { short, toValue } from '../compose/read/to-value.ts'
import { inputRules } from './input-rules.ts'
import { type Template, templateSchema } from './template-schema.ts'
import { inOrder, takenBy, variablesOf } from './needs.ts'

export interface ReadTemplate {
  /** As far as it has the form of one; what it says may still not go together. */
  template: Template | undefined
  /** What is wrong with it, by line, and what is found by looking at the compose file as well. */
  problemsWith: (more: readonly Finding[]) => ComposeProblem[]
}

/** A template.yaml, within the limits that hold for compose files: quick with whatever it is given. */
export function readTemplate(text: string): ReadTemplate {
  const { document, lines, marks } = readYaml(text)
  const unread = (found: readonly Mark[]): ReadTemplate => ({
    template: undefined,
    problemsWith: () => placeProblems(found, text, lines),
  })
  if (!document || marks.length > 0) return unread(marks)
  const { targets, marks: endless } = resolveAliases(document)
  if (endless.length > 0) return unread(endless)
  const { value, marks: odd } = toValue(document.contents, text, targets, null)
  const places = new Places(document.contents, targets)
  const { data, error } = templateSchema.safeParse(value, { error: sentence })
  const found = data
    ? [...inputRules(data), ...referenceRules(data), ...misread(data, places)]
    : (error?.issues ?? []).flatMap((issue) => findingsOf(issue))
  return {
    template: data,
    problemsWith: (more) =>
      placeProblems([...odd, ...[...found, ...more].map((one) => places.markOf(one))], text, lines),
  }
}

const sentence = (issue: z.core.$ZodRawIssue) =>
  issue.input === undefined ? `${String(issue.path?.at(-1) ?? 'This')} is missing.` : describeIssue(issue)

const keys = ['name', 'description', 'category', 'logo', 'links', 'memory', 'http', 'inputs', 'notes']
const keysOfInput = [
  'name',
  'label',
  'help',
  'type',
  'required',
  'default',
  'generate',
  'choices',
  'pattern',
  'min',
  'max',
  'advanced',
]

function findingsOf(issue: z.core.$ZodIssue): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  if (issue.code !== 'unrecognized_keys') return [wrong(path, issue.message)]
  const known = path.length === 0 ? keys : path.length === 2 && path[0] === 'inputs' ? keysOfInput : []
  return issue.keys.map((key) =>
    wrongKey([...path, key], `${short(key)} means nothing here.${didYouMean(key, known) || ' Take it out.'}`),
  )
}

/** A default such as 1.10 is a number for YAML, and one that ends otherwise than it was typed. */
const misread = ({ inputs }: Template, places: Places): Finding[] =>
  inputs.flatMap((input, at) => {
    const path = ['inputs', at, 'default']
    const { node } = places.find(path)
    return input.default !== null &&
      isScalar(node) &&
      typeof node.value === 'number' &&
      node.source !== undefined &&
      node.source !== input.default
      ? [wrong(path, `YAML reads this as ${short(input.default)}. Put it in quotes.`)]
      : []
  })

/** What defaults and notes take from inputs has to be there, and must not go round in a circle. */
function referenceRules({ inputs, notes }: Template): Finding[] {
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
