import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import type { Mark } from '../check/finding.ts'
import { type Budget, interpolate, type VariableUse } from './interpolate.ts'
import { readPlain } from './plain-scalar.ts'
import { readYaml, resolveAliases, type Targets } from './read-yaml.ts'

export interface ResolvedDocument {
  value: unknown
  marks: Mark[]
  variables: string[]
  /** Interpolated scalars, which are text even where a number or boolean is expected. */
  filled: ReadonlySet<unknown>
}

interface ScalarText {
  node: Node
  value: string
}

const mostText = 5_000_000
const maxMarks = 100
const plainTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq', 'merge'].map((type) => `tag:yaml.org,2002:${type}`),
)
/** In a single file `!reset` drops its key and `!override` has no effect. */
const [reset, override] = ['!reset', '!override']

/** Converts each node once: its aliases return the identical value, so that a hostile file cannot expand without bound. */
export function toValue(
  root: Node | null,
  source: string,
  targets: Targets,
  env: ReadonlyMap<string, string> | null,
): ResolvedDocument {
  const marks: Mark[] = []
  const variables = new Set<string>()
  const filled = new Set<Node>()
  const known = new Map<Node, unknown>()
  const budget: Budget = { left: mostText }

  const read = (value: unknown): unknown => {
    const node = isAlias(value) ? targets.get(value) : value
    if (isScalar(node)) return once(node, () => readScalar(node))
    if (isMap(node)) return once(node, () => readMap(node))
    if (isSeq(node)) return once(node, () => node.items.map(read))
    return null
  }
  const once = (node: Node, work: () => unknown): unknown => {
    if (!known.has(node)) {
      if (node.tag !== undefined && !plainTags.has(node.tag) && node.tag !== reset && node.tag !== override)
        marks.push(toNodeMark(node, `The tag ${shortTag(node.tag)} is not supported. Remove it.`))
      // Some versions of Compose use the value after the tag, so it must be empty.
      if (isReset(node) && !isEmpty(node))
        marks.push(toNodeMark(node, `Only null or [] can follow ${reset}.`))
      known.set(node, work())
    }
    return known.get(node)
  }
  const readScalar = (node: Scalar): unknown => {
    const value = scalarValue(node)
    if (env === null || typeof value !== 'string' || !value.includes('$')) return value
    const scalar = { node, value }
    const before = budget.left
    const { text, uses } = interpolate(value, env, budget)
    if (before >= 0 && budget.left < 0)
      marks.push(
        toNodeMark(node, 'The file is too large: after interpolation it has more than 5,000,000 characters.'),
      )
    filled.add(node)
    for (const use of uses) {
      if (use.name !== '') variables.add(use.name)
      if (marks.length >= maxMarks) continue
      if (use.wrong !== undefined) marks.push(toVariableMark(scalar, use, use.wrong))
      else if (use.isUnset)
        marks.push({
          ...toVariableMark(scalar, use, `Variable ${use.name} is not set and is treated as empty.`),
          severity: 'warning',
          unset: use.name,
        })
    }
    return text
  }
  const toVariableMark = ({ node, value }: ScalarText, { name, at }: VariableUse, message: string): Mark => {
    const whole = toNodeMark(node, message)
    const typed = source.slice(whole.from, whole.to)
    const within = typed.indexOf(value)
    const start = within < 0 ? typed.search(new RegExp(`\\$\\{?${name}(?!\\w)`)) : within + at
    if (start < 0) return whole
    const from = whole.from + start
    return { ...whole, from, to: from + name.length + (source[from + 1] === '{' ? 2 : 1) }
  }
  const readMap = (node: YAMLMap): Record<string, unknown> => {
    // Without a prototype, any key is safe.
    const map: Record<string, unknown> = Object.create(null)
    const own = new Set<string>()
    for (const pair of node.items.filter((item) => !isMerge(item))) {
      const key = readKey(pair)
      if (key === undefined) continue
      if (own.has(key)) marks.push(toNodeMark(pair.key, `Duplicate key “${truncateValue(key)}”.`))
      own.add(key)
      const value = read(pair.value)
      if (!isReset(pair.value)) map[key] = value
    }
    for (const [nth, pair] of node.items.filter(isMerge).entries()) {
      if (nth > 0) marks.push(toNodeMark(pair.key, 'Duplicate key “<<”. Merge a list instead: <<: [*a, *b].'))
      mergeInto(map, pair.value)
    }
    return map
  }
  const readKey = ({ key }: Pair): string | undefined => {
    const at = isAlias(key) ? targets.get(key) : key
    // Compose would read a tagged key, such as !!binary, differently.
    if (isScalar(at) && at.tag !== undefined)
      marks.push(toNodeMark(key, 'A key cannot have a tag. Remove it.'))
    else if (isScalar(at) && typeof scalarValue(at) !== 'string')
      marks.push(toNodeMark(key, 'Put this key in quotes, because YAML does not read it as text.'))
    if (isScalar(at)) return keyText(at)
    marks.push(toNodeMark(key, 'A key must be text.'))
    return undefined
  }
  const mergeInto = (map: Record<string, unknown>, given: unknown): void => {
    const node = isAlias(given) ? targets.get(given) : given
    if (isSeq(node)) for (const item of node.items) mergeMap(map, item)
    else mergeMap(map, given)
  }
  const mergeMap = (map: Record<string, unknown>, given: unknown): void => {
    const node = isAlias(given) ? targets.get(given) : given
    if (isMap(node)) {
      for (const [key, value] of Object.entries(Object(read(node)))) if (!(key in map)) map[key] = value
    } else marks.push(toNodeMark(given, 'Only a mapping or a list of mappings can be merged with <<.'))
  }

  const value = read(root)
  return { value, marks, variables: [...variables], filled }
}

function scalarValue({ value, source = '', type, tag = '' }: Scalar): unknown {
  if (typeof value === 'symbol') return source
  if (type === 'PLAIN' && !tag.endsWith(':str')) return readPlain(source)
  if (typeof value === 'bigint') return Number(value)
  // Tags such as !!binary produce objects, for which the text stands in.
  return value instanceof Object ? source : value
}

const shortTag = (tag: string) => truncateValue(tag.replace('tag:yaml.org,2002:', '!!'))

/** The tag !!merge turns the key into a symbol. */
export const isMerge = ({ key }: Pair) =>
  isScalar(key) &&
  (typeof key.value === 'symbol'
    ? key.source === '<<'
    : key.type === 'PLAIN' && key.value === '<<' && key.tag === undefined)

export const keyText = ({ value, source = '' }: Scalar) =>
  typeof value === 'symbol' ? source : String(value)

const isReset = (value: unknown) => (isScalar(value) || isMap(value) || isSeq(value)) && value.tag === reset

const isEmpty = (node: Node) =>
  isScalar(node)
    ? [null, '', '~', 'null'].some((empty) => empty === node.value)
    : isCollection(node) && node.items.length === 0

export const truncateValue = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const toNodeMark = (node: unknown, message: string): Mark => {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined
  return { from: range?.[0] ?? 0, to: range?.[1] ?? 1, severity: 'error', message }
}

export function readUninterpolated(text: string): unknown {
  const { document, marks } = readYaml(text)
  if (!document || marks.length > 0) return undefined
  const { targets, marks: endless } = resolveAliases(document)
  return endless.length > 0 ? undefined : toValue(document.contents, text, targets, null).value
}
