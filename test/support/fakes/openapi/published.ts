import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Ajv, type ValidateFunction } from 'ajv'
import { urlOf } from '../../programs/port.ts'
import { matchPath } from '../github/answer.ts'

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

export interface Exchange {
  method: string
  url: string
  given: string
  status: number
  answer: string
}

/** Passes requests on to a fake and keeps what was said. */
export async function startRecorder(to: string) {
  const exchanges: Exchange[] = []
  const server = createServer((request, response) => {
    const pass = async () => {
      const given = await text(request)
      const { method = 'GET', url = '/', headers } = request
      const { host: _, connection: __, 'content-length': ___, ...kept } = headers
      const sent = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)])
      const answered = await fetch(to + url, {
        method,
        headers: sent,
        ...(given && { body: given }),
        redirect: 'manual',
      })
      const answer = await answered.text()
      exchanges.push({ method, url, given, status: answered.status, answer })
      const {
        'content-encoding': ____,
        'transfer-encoding': _____,
        ...shown
      } = Object.fromEntries(answered.headers)
      response.writeHead(answered.status, shown).end(answer)
    }
    pass().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: urlOf(server), exchanges, close: () => void server.close() }
}

/** What does not fit the document, as sentences; and which of its operations were asked for. */
export function compare({ schemas, operations, errors }: Published, exchanges: Exchange[]) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const compiled = new Map<string, ValidateFunction>()
  const problems = new Set<string>()
  const asked = new Set<string>()

  function check(name: string, short: Short, value: unknown) {
    const validate = compiled.get(name) ?? ajv.compile(expand(short, schemas))
    compiled.set(name, validate)
    if (validate(value)) return
    for (const { instancePath, message, params } of validate.errors ?? [])
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
    const query = typeof operation['query'] === 'string' ? operation['query'].split(' ') : []
    // A form says `items[0][price]` for a part of the parameter `items`.
    const form = body === undefined ? [...new URLSearchParams(given).keys()] : []
    for (const key of [...searchParams.keys(), ...form].map((one) => one.replace(/\[.*/, '')))
      if (!query.includes(key)) problems.add(`${name} has no parameter ${key}`)
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
