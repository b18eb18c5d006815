import composeSpec from '../../../contract/shared/compose-spec.json' with { type: 'json' }

export interface CompletionOption {
  label: string
  kind: 'key' | 'value' | 'name'
  about?: string | undefined
  insert: string
}

/** Section of the file that declares the names used by a service key. */
const sections = new Map([
  ['depends_on', 'services'],
  ['links', 'services'],
  ['networks', 'networks'],
  ['volumes', 'volumes'],
  ['secrets', 'secrets'],
  ['configs', 'configs'],
])

export function completionsAt(before: readonly string[], all: readonly string[]) {
  const place = cursorPositionAt(before)
  if (!place) return undefined
  const { path, key, word } = place
  const names = namesAt(path, key, all)
  if (key !== undefined) return { word, offers: [...names.map(nameOption), ...valuesOf([...path, key])] }
  const inList = path.at(-1) === listItemSegment
  const named = names.map((name) =>
    inList ? nameOption(name) : keyOption({ name, about: undefined, inline: false }),
  )
  return { word, offers: [...named, ...keysAt(path).map(keyOption), ...(inList ? valuesOf(path) : [])] }
}

function namesAt(path: readonly string[], key: string | undefined, all: readonly string[]): string[] {
  const [top, own = '', within = '', entry] = path
  if (top !== 'services') return []
  const others = (section: string) =>
    namesInSection(all, section).filter((name) => section !== 'services' || name !== own)
  if (within === 'extends' && key === 'service') return others('services')
  const section = sections.get(within)
  if (section === undefined || path.length > 4) return []
  const inPlace = key === undefined && (path.length === 3 || entry === listItemSegment)
  return inPlace || (entry === listItemSegment && key === 'source') ? others(section) : []
}

const valuesOf = (path: readonly string[]): CompletionOption[] =>
  valuesAt(path).map((value) => ({ label: value, kind: 'value', insert: value }))

const nameOption = (name: string): CompletionOption => ({ label: name, kind: 'name', insert: name })

const keyOption = ({ name, about, inline }: SchemaKey): CompletionOption => ({
  label: name,
  kind: 'key',
  about,
  insert: inline ? `${name}: ` : `${name}:`,
})

export const listItemSegment = '[]'

/** `path` leads to the parent. `key` is set while the user types its value. */
interface CursorPosition {
  path: readonly string[]
  key: string | undefined
  word: string
}

const typing = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:[ \t]+)?([^\s:#"'[\]{},]*)$/
const written = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:(?:\s|$))?/

/**
 * Derives the position from indentation only, because the file is mostly invalid while the user types. `lines` end at
 * the cursor. Returns undefined where nothing can be offered, such as in a string.
 */
function cursorPositionAt(lines: readonly string[]): CursorPosition | undefined {
  const match = typing.exec(lines.at(-1) ?? '')
  if (!match) return undefined
  const [, indent = '', dashes = '', , key, word = ''] = match
  // YAML allows the items of a list at the indentation of its key, so a key at that level is a parent.
  const limit = dashes === '' ? indent.length : indent.length + 0.5
  const parents = parentsOf(lines.slice(0, -1), limit)
  return { path: dashes === '' ? parents : [...parents, listItemSegment], key, word }
}

function parentsOf(lines: readonly string[], from: number): string[] {
  const path: string[] = []
  let limit = from
  for (const line of lines.toReversed()) {
    if (limit === 0) break
    if (/^\s*(#|$)/.test(line)) continue
    const [, indent = '', dashes = '', , key] = written.exec(line) ?? []
    const column = indent.length + dashes.length
    if (key !== undefined && column < limit) {
      path.unshift(key)
      limit = column
    }
    if (dashes !== '' && indent.length + 0.5 < limit) {
      path.unshift(listItemSegment)
      limit = indent.length + 0.5
    }
  }
  return path
}

function namesInSection(lines: readonly string[], section: string): string[] {
  const start = lines.findIndex((line) => line.trimEnd() === `${section}:`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^[^\s#]/.test(line))
  const inside = end < 0 ? rest : rest.slice(0, end)
  const keys = inside.flatMap((line) => {
    const [, indent = '', name] = /^( +)(["']?[\w.-]+["']?):/.exec(line) ?? []
    return name === undefined ? [] : [{ indent: indent.length, name: name.replaceAll(/["']/g, '') }]
  })
  return keys.filter(({ indent }) => indent === keys[0]?.indent).map(({ name }) => name)
}

type Schema = Readonly<Record<string, unknown>>

interface SchemaKey {
  name: string
  about: string | undefined
  /** Whether the value can stand on the line of the key. */
  inline: boolean
}

function keysAt(path: readonly string[]): SchemaKey[] {
  const options = schemasAt(path).flatMap((schema) =>
    Object.entries(mapOf(schema['properties'])).map(([name, value]) => {
      const ways = alternativesOf(value)
      const about = ways.map((way) => way['description']).find((text) => typeof text === 'string')
      return { name, about, inline: ways.some(isShort) }
    }),
  )
  return [...new Map(options.map((option) => [option.name, option])).values()]
}

function valuesAt(path: readonly string[]): string[] {
  const values = schemasAt(path).flatMap((schema) => [
    ...listOf(schema['enum']).map(String),
    ...(listOf(schema['type']).includes('boolean') ? ['true', 'false'] : []),
  ])
  return [...new Set(values)]
}

/** Many keys have a short and a long form, so several schemas may apply to a path. */
function schemasAt(path: readonly string[]): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, step) => schemas.flatMap((schema) => stepInto(schema, step).flatMap(alternativesOf)),
    alternativesOf(composeSpec),
  )
}

function stepInto(schema: Schema, step: string): unknown[] {
  if (step === listItemSegment) return [schema['items']]
  const named = mapOf(schema['properties'])[step]
  if (named !== undefined) return [named]
  const patterns = Object.entries(mapOf(schema['patternProperties']))
  const fitting = patterns.filter(([pattern]) => new RegExp(pattern).test(step)).map(([, value]) => value)
  return fitting.length > 0 ? fitting : [schema['additionalProperties']]
}

function alternativesOf(value: unknown): Schema[] {
  const schema = mapOf(value)
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/definitions/', '') : undefined
  const target = name === undefined ? undefined : definitions[name]
  const others = [target, ...listOf(schema['oneOf']), ...listOf(schema['anyOf']), ...listOf(schema['allOf'])]
  return [schema, ...others.filter((alternative) => alternative !== undefined).flatMap(alternativesOf)]
}

/** An array counts as short, because YAML allows it in brackets on one line. */
const isShort = (schema: Schema) =>
  ['string', 'number', 'integer', 'boolean', 'array'].some((type) => listOf(schema['type']).includes(type))

const mapOf = (value: unknown): Schema => (isMap(value) ? value : {})
const isMap = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** JSON Schema allows a single value in place of a list, as in `type`. */
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const definitions = mapOf(mapOf(composeSpec)['definitions'])
