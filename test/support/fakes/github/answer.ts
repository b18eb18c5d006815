import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { State } from './state.ts'

/** One request, as those who answer it see it. */
export interface Call {
  state: State
  request: IncomingMessage
  response: ServerResponse
  url: URL
  params: Record<string, string>
}

export type Handler = (call: Call) => unknown

/** What the real one answers where it refuses. */
export class Refusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, message: string, more: object = {}) {
    super(message)
    this.status = status
    this.body = {
      message,
      documentation_url: 'https://docs.github.com/rest',
      status: String(status),
      ...more,
    }
  }
}

export const missing = () => new Refusal(404, 'Not Found')
export const unfit = (...errors: object[]) => new Refusal(422, 'Validation Failed', { errors })

export const json = (
  { response }: Pick<Call, 'response'>,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))

export const redirect = ({ response }: Call, location: string) => response.writeHead(302, { location }).end()

export async function readBody({ request }: Call): Promise<unknown> {
  const text = (await buffer(request)).toString()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'Problems parsing JSON')
  }
}

/** One page of a list, at most a hundred, with the way to the others in the header `link`. */
export function page<T>({ url, state }: Call, all: T[]): { items: T[]; headers: Record<string, string> } {
  const number = (name: string, otherwise: number) =>
    Math.max(1, Number.parseInt(url.searchParams.get(name) ?? '', 10) || otherwise)
  const size = Math.min(100, number('per_page', 30))
  const at = number('page', 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const linkTo = (to: number, rel: string) => {
    const there = new URL(url.pathname + url.search, state.url)
    there.searchParams.set('page', String(to))
    return `<${there.href}>; rel="${rel}"`
  }
  const links = [
    ...(at > 1 ? [linkTo(at - 1, 'prev'), linkTo(1, 'first')] : []),
    ...(at < last ? [linkTo(at + 1, 'next'), linkTo(last, 'last')] : []),
  ]
  return {
    items: all.slice((at - 1) * size, at * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}

/** `GET /repos/:owner/:repo/contents/*path`: a name takes one part, one with a star all that is left. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const rest = given.slice(index)
    if (part.startsWith('*')) return { ...params, [part.slice(1)]: rest.map(decode).join('/') }
    if (rest.length === 0) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = decode(rest[0] ?? '')
    else if (part !== rest[0]) return undefined
  }
  return wanted.length === given.length ? params : undefined
}

function decode(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal(400, 'Bad Request')
  }
}
