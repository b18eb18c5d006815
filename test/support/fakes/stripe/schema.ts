import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { expand as toJsonSchema, type Published, type Short } from '../openapi/published.ts'
import { invalidRequest, missingParam, notImplemented } from './errors.ts'

const { schemas, operations }: Published = JSON.parse(
  readFileSync(new URL('../openapi/stripe.json', import.meta.url), 'utf8'),
)

export type ApiObject = Record<string, unknown>

const isRecord = (value: unknown): value is ApiObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Presents a record as the API does: with the fields of the published schema alone, of which those that the record does not
 * have are null or empty.
 */
export const present = (name: string, record: object): ApiObject =>
  presentObject(resolve(`#${name}`), { ...record }, name)

const resolve = (schema: Short): Short =>
  typeof schema === 'string' && schema.startsWith('#') ? (schemas[schema.slice(1)] ?? 'any') : schema

function presentObject(schema: Short, record: ApiObject, path: string): ApiObject {
  const presented: ApiObject = {}
  for (const [key, inner] of Object.entries(schema)) {
    const name = key.replaceAll(/[!?]/g, '')
    const value = record[name]
    if (value === undefined && !key.includes('!')) continue
    const isNull = (value ?? null) === null && key.includes('?')
    presented[name] = isNull ? null : presentValue(resolve(inner), value, `${path}.${name}`)
  }
  return presented
}

function presentValue(schema: Short, value: unknown, path: string): unknown {
  if (value === undefined || value === null) return emptyValue(schema, path)
  if (Array.isArray(schema) && Array.isArray(value))
    return value.map((item: unknown) => presentValue(resolve(schema[0]), item, path))
  return typeof schema === 'object' && isRecord(value) ? presentObject(schema, value, path) : value
}

function emptyValue(schema: Short, path: string): unknown {
  if (Array.isArray(schema)) return []
  if (typeof schema === 'object') return presentObject(schema, {}, path)
  if (schema === 'boolean') return false
  if (schema === 'integer') return 0
  if (schema === 'map') return {}
  const [only = '', ...others] = schema.split('|')
  if (others.join('') === '' && others.length === 1) return only
  throw new Error(`The fake of Stripe has no value for ${path}.`)
}

export const list = (url: string, data: object[], has_more = false) => ({
  object: 'list',
  data,
  has_more,
  url,
})

/** Decodes a form with names like `items[0][price]`, `expand[]` and `metadata[key]`. */
export function readForm(text: string): ApiObject {
  const form: ApiObject = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.split('[').map((part) => part.replace(/\]$/, ''))
    let parent: unknown = form
    for (const [index, part] of parts.entries()) {
      if (!isRecord(parent) && !Array.isArray(parent)) break
      const next = parts[index + 1]
      const child = next === undefined ? value : /^\d*$/.test(next) ? [] : {}
      const key = part === '' && Array.isArray(parent) ? parent.length : part
      const existing: unknown = Reflect.get(parent, key)
      if (existing === undefined) Reflect.set(parent, key, child)
      parent = existing ?? child
    }
  }
  return form
}

const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true, verbose: true })
const validators = new Map<string, ValidateFunction>()

/** Reads the parameters of an operation, and refuses what is unknown, missing or malformed. */
export function readParams(operation: string, expandable: string[], form: ApiObject): ApiObject {
  const { params, query } = operations[operation] ?? {}
  if (typeof query !== 'string') throw new Error(`${operation} is not published.`)
  const { expand, ...read } = structuredClone(form)
  for (const path of Array.isArray(expand) ? expand.map(String) : [])
    if (!expandable.includes(path)) throw invalidRequest(`This property cannot be expanded (${path}).`)
  const schema = params ?? {}
  const implemented = Object.keys(schema).map((key) => key.replaceAll(/[!?]/g, ''))
  for (const name of query.split(' '))
    if (name in read && !implemented.includes(name))
      throw notImplemented(`the parameter ${name} of ${operation}`)
  checkTexts(read)
  const validate = validators.get(operation) ?? ajv.compile(toJsonSchema(schema, schemas))
  validators.set(operation, validate)
  if (validate(read)) return { ...read, ...(expand !== undefined && { expand }) }
  const errors = validate.errors ?? []
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties')
  throw toApiError(unknown[0] ?? errors[0])
}

/** Refuses texts over the limits of the API, and empty ones where there is nothing to unset. */
function checkTexts(value: unknown, param = ''): void {
  const isMetadata = param.includes('metadata[')
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (param.endsWith('metadata') && name.length > 40)
        throw invalidRequest('Metadata keys must be at most 40 characters', param)
      checkTexts(inner, param === '' ? name : `${param}[${name}]`)
    }
  else if (value === '' && !isMetadata && !/\bcancel_at\b/.test(param))
    throw invalidRequest(
      `You passed an empty string for '${param}'. Remove it or supply a non-empty value.`,
      param,
      'parameter_invalid_empty',
    )
  else if (typeof value === 'string' && value.length > (isMetadata ? 500 : 5000))
    throw invalidRequest(`Invalid string: ${param} is too long`, param)
}

function toApiError(error: ErrorObject | undefined) {
  if (!error) throw new Error('The parameters have no error.')
  const { instancePath, keyword, params, message = '', data } = error
  const path = instancePath.split('/').slice(1)
  const name: unknown = params['additionalProperty'] ?? params['missingProperty']
  if (typeof name === 'string') path.push(name)
  const [first = '', ...rest] = path
  const param = first + rest.map((part) => `[${part}]`).join('')
  if (keyword === 'additionalProperties')
    return invalidRequest(`Received unknown parameter: ${param}`, param, 'parameter_unknown')
  if (keyword === 'required') return missingParam(param)
  if (params['type'] === 'integer')
    return invalidRequest(`Invalid integer: ${String(data)}`, param, 'parameter_invalid_integer')
  return invalidRequest(`Invalid ${param}: ${message}`, param)
}
