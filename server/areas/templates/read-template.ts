import { isScalar } from 'yaml'
import type { z } from 'zod'
import { describeIssue } from '../../platform/describe-issue.ts'
import { NodeLocator } from '../compose/check/node-locator.ts'
import {
  type ComposeProblem,
  errorAt,
  errorAtKey,
  type Finding,
  type Mark,
  type Path,
  toComposeProblems,
} from '../compose/check/finding.ts'
import { didYouMean } from '../compose/check/closest-match.ts'
import { readYaml, resolveAliases } from '../compose/read/read-yaml.ts'
import { truncateValue, toValue } from '../compose/read/to-value.ts'
import { inputRules } from './input-rules.ts'
import { inputKeys, type Template, templateKeys, templateSchema } from './template-schema.ts'
import { inputVariables, orderInputs, variablesUsedIn } from './fill-inputs.ts'

export interface ReadTemplate {
  /** Set if the file has the right form; its values may still contradict each other. */
  template: Template | undefined
  problemsWith: (more: readonly Finding[]) => ComposeProblem[]
}

export function readTemplate(text: string): ReadTemplate {
  const { document, lines, marks } = readYaml(text)
  const unread = (unreadable: readonly Mark[]): ReadTemplate => ({
    template: undefined,
    problemsWith: () => toComposeProblems(unreadable, text, lines),
  })
  if (!document || marks.length > 0) return unread(marks)
  const { targets, marks: endless } = resolveAliases(document)
  if (endless.length > 0) return unread(endless)
  const { value, marks: odd } = toValue(document.contents, text, targets, null)
  const places = new NodeLocator(document.contents, targets)
  const { data, error } = templateSchema.safeParse(value, { error: sentence })
  const findings = data
    ? [...inputRules(data), ...referenceRules(data), ...misread(data, places)]
    : (error?.issues ?? []).flatMap((issue) => toFindings(issue))
  return {
    template: data,
    problemsWith: (more) =>
      toComposeProblems(
        [...odd, ...[...findings, ...more].map((finding) => places.markOf(finding))],
        text,
        lines,
      ),
  }
}

const sentence = (issue: z.core.$ZodRawIssue) =>
  issue.input === undefined ? `${String(issue.path?.at(-1) ?? 'This')} is missing.` : describeIssue(issue)

function toFindings(issue: z.core.$ZodIssue): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  if (issue.code !== 'unrecognized_keys') return [errorAt(path, issue.message)]
  const known = path.length === 0 ? templateKeys : path.length === 2 && path[0] === 'inputs' ? inputKeys : []
  return issue.keys.map((key) =>
    errorAtKey(
      [...path, key],
      `Unknown key ${truncateValue(key)}.${didYouMean(key, known) || ' Remove it.'}`,
    ),
  )
}

/** Finds unquoted defaults that YAML reads as numbers: 1.10 would lose its zero. */
const misread = ({ inputs }: Template, places: NodeLocator): Finding[] =>
  inputs.flatMap((input, index) => {
    const path = ['inputs', index, 'default']
    const { node } = places.find(path)
    return input.default !== null &&
      isScalar(node) &&
      typeof node.value === 'number' &&
      node.source !== undefined &&
      node.source !== input.default
      ? [errorAt(path, `YAML reads this as ${truncateValue(input.default)}. Quote the value.`)]
      : []
  })

function referenceRules({ inputs, notes }: Template): Finding[] {
  const known = inputs.flatMap((input) => inputVariables(input))
  return [
    ...inputs.flatMap((input, index) => unknownIn(input.default ?? '', ['inputs', index, 'default'], known)),
    ...unknownIn(notes ?? '', ['notes'], known),
    ...orderInputs(inputs).circles.map((circle) => {
      const [first] = circle
      const names = circle.map(({ name }) => name).join(' → ')
      return errorAt(
        ['inputs', first ? inputs.indexOf(first) : 0, 'default'],
        `Circular reference: ${names}. Give one of these inputs its own value.`,
      )
    }),
  ]
}

const unknownIn = (text: string, path: Path, known: readonly string[]): Finding[] =>
  variablesUsedIn(text).flatMap(({ name, wrong: why }) => {
    if (name === '') return why === undefined ? [] : [errorAt(path, why)]
    if (known.includes(name)) return []
    return [errorAt(path, `Unknown input ${truncateValue(name)}.${didYouMean(name, known)}`)]
  })
