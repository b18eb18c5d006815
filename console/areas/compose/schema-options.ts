import composeSpec from '../../../contract/shared/compose-spec.json' with { type: 'json' }
import { listItemSegment } from './cursor-position.ts'

type Schema = Readonly<Record<string, unknown>>

export interface SchemaKey {
  name: string
  about: string | undefined
  /** The value fits on the same line. */
  inline: boolean
}

export function keysAt(path: readonly string[]): SchemaKey[] {
  const options = schemasAt(path).flatMap((schema) =>
    Object.entries(mapOf(schema['properties'])).map(([name, value]) => {
      const ways = alternativesOf(value)
      const about = ways.map((way) => way['description']).find((text) => typeof text === 'string')
      return { name, about, inline: ways.some(isShort) }
    }),
  )
  return [...new Map(options.map((option) => [option.name, option])).values()]
}

/** Only enumerations. */
export function valuesAt(path: readonly string[]): string[] {
  const values = schemasAt(path).flatMap((schema) => [
    ...listOf(schema['enum']).map(String),
    ...(listOf(schema['type']).includes('boolean') ? ['true', 'false'] : []),
  ])
  return [...new Set(values)]
}

/** Many keys have a short and a long form. */
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

/** Resolves references and flattens alternatives. */
function alternativesOf(value: unknown): Schema[] {
  const schema = mapOf(value)
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/definitions/', '') : undefined
  const target = name === undefined ? undefined : definitions[name]
  const others = [target, ...listOf(schema['oneOf']), ...listOf(schema['anyOf']), ...listOf(schema['allOf'])]
  return [schema, ...others.filter((one) => one !== undefined).flatMap(alternativesOf)]
}

/** A list can be written in brackets. */
const isShort = (schema: Schema) =>
  ['string', 'number', 'integer', 'boolean', 'array'].some((type) => listOf(schema['type']).includes(type))

const mapOf = (value: unknown): Schema => (isMap(value) ? value : {})
const isMap = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A single value counts as a list of one. */
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const definitions = mapOf(mapOf(composeSpec)['definitions'])
