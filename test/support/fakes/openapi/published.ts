import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Ajv, type ValidateFunction } from 'ajv'
import { matchPath } from '../github/answer.ts'
import { startHttpService } from '../http-service.ts'

/**
 * A part of a published OpenAPI document, in short: a key with `!` is required, with `?` may be null, with `+` is not in the
 * document (`differences` says why); `#name` is a schema, `a|b` one of these texts, `id` an object or its id, `map` texts by
 * name, `[x]` a list.
 */
export type Short = string | [Short] | { [key: string]: Short }

export interface Published {
  source: Record<'repository' | 'path' | 'commit' | 'version', string>
  differences: string[]
  schemas: Record<string, Short>
  /** Error codes by status, where the document lists them. */
  errors?: Record<string, string>
  operations: Record<string, Record<string, Short | null>>
}

export function expand(short: Short, schemas: Record<string, Short>): object {
  if (Array.isArray(short)) return { type: 'array', items: expand(short[0], schemas) }
  if (typeof short === 'object') {
    const keys = Object.keys(short)
    const properties = keys.map((key) => {
      const schema = expand(short[key] ?? 'any', schemas)
      return [bare(key), /^[^?]*$/.test(key) ? schema : { anyOf: [schema, { type: 'null' }] }] as const
    })
    const required = keys.filter((key) => key.includes('!')).map(bare)
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
    }
  }
  if (short.startsWith('#')) return expand(schemas[short.slice(1)] ?? missing(short), schemas)
  if (short.includes('|')) return { enum: short.split('|').filter(Boolean) }
  if (short === 'id') return { type: ['string', 'object'] }
  if (short === 'any') return {}
  if (short === 'map') return { type: 'object', additionalProperties: { type: 'string' } }
  const pattern = formats[short]
  return pattern === undefined ? { type: short } : { type: 'string', pattern }
}

const formats: Record<string, string> = {
  'date-time': String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`,
  email: String.raw`^[^\s@]+@[^\s@]+$`,
  url: String.raw`^https?://\S+$`,
}

const bare = (key: string) => key.replaceAll(/[!?+]/g, '')

function missing(name: string): never {
  throw new Error(`There is no schema ${name}.`)
}

export const readPublished = (name: string): Published =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))

function makeValidators(schemas: Published['schemas']) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const compiled = new Map<string, ValidateFunction>()
  return (name: string, short: Short, value: unknown) => {
    const validate = compiled.get(name) ?? ajv.compile(expand(short, schemas))
    compiled.set(name, validate)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

const parametersOf = (operation: Published['operations'][string]) =>
  typeof operation['query'] === 'string' ? operation['query'].split(' ') : []

export interface FieldError {
  field: string
  reason: 'missing' | 'unknown' | 'invalid'
}

/** Checks requests against a document; gives the first field or parameter that does not fit. */
export function requestValidator({ schemas, operations }: Published) {
  const validate = makeValidators(schemas)
  return (name: string, query: URLSearchParams, body: unknown): FieldError | undefined => {
    const operation = operations[name]
    if (!operation) return undefined
    const published = parametersOf(operation)
    const unknown = [...query.keys()].find((key) => !published.includes(key))
    if (unknown !== undefined) return { field: unknown, reason: 'unknown' }
    const [error] = operation['body'] ? validate(name, operation['body'], body) : []
    if (!error) return undefined
    const { missingProperty, additionalProperty } = error.params
    if (missingProperty && error.instancePath === '') return { field: missingProperty, reason: 'missing' }
    if (additionalProperty && error.instancePath === '')
      return { field: additionalProperty, reason: 'unknown' }
    return { field: error.instancePath.split('/')[1] ?? '', reason: 'invalid' }
  }
}

interface Exchange {
  method: string
  url: string
  given: string
  status: number
  answer: string
}

/** Passes requests on to a fake and records them with their responses. */
export async function startRecorder(to: string) {
  const exchanges: Exchange[] = []
  const service = await startHttpService(async (request, response) => {
    const given = await text(request)
    const { method = 'GET', url = '/' } = request
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (!['host', 'connection', 'content-length'].includes(name)) headers.set(name, String(value))
    const passed = { method, headers, redirect: 'manual' as const, ...(given && { body: given }) }
    const answered = await fetch(to + url, passed)
    const answer = await answered.text()
    exchanges.push({ method, url, given, status: answered.status, answer })
    const kept = [...answered.headers].filter(([name]) => !/^(content|transfer)-encoding$/.test(name))
    response.writeHead(answered.status, Object.fromEntries(kept)).end(answer)
  })
  return { url: service.url, exchanges, close: () => void service.close() }
}

/** Compares exchanges with a document: what does not fit, as sentences, and which operations were never called. */
export function compare({ schemas, operations, errors }: Published, exchanges: Exchange[]) {
  const validate = makeValidators(schemas)
  const problems = new Set<string>()
  const asked = new Set<string>()

  function check(name: string, short: Short, value: unknown) {
    for (const { instancePath, message, params } of validate(name, short, value))
      problems.add(`${name} ${instancePath} ${message} ${JSON.stringify(params)}`)
  }

  for (const { method, url, given, status, answer } of exchanges) {
    const { pathname, searchParams } = new URL(url, 'http://fake')
    const name = Object.keys(operations).find((one) => {
      const [on, path = ''] = one.split(' ')
      return on === method && matchPath(path, pathname)
    })
    const operation = operations[name ?? '']
    if (name === undefined || !operation) {
      problems.add(`${method} ${pathname} is not published`)
      continue
    }
    asked.add(name)
    const { body } = operation
    // A form says `items[0][price]` for a part of the parameter `items`.
    const form = body === undefined ? [...new URLSearchParams(given).keys()] : []
    for (const key of [...searchParams.keys(), ...form].map((one) => one.replace(/\[.*/, '')))
      if (!parametersOf(operation).includes(key)) problems.add(`${name} has no parameter ${key}`)
    if (body && given !== '' && status < 400) check(`${name} request`, body, JSON.parse(given))
    if (status >= 400) {
      check(`${name} ${status}`, '#error', JSON.parse(answer))
      const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? ''
      if (errors && !errors[status]?.split(' ').includes(code))
        problems.add(`${code} does not come with ${status}`)
    } else if (!(status in operation)) problems.add(`${name} does not answer ${status}`)
    else if (operation[status]) check(`${name} ${status}`, operation[status], JSON.parse(answer))
  }
  return { problems: [...problems], unasked: Object.keys(operations).filter((name) => !asked.has(name)) }
}
