import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal, type Reply } from '../http-service.ts'
import { pageOf } from '../page.ts'
import type { State } from './state.ts'

export interface Call {
  state: State
  request: IncomingMessage
  response: ServerResponse
  url: URL
  params: Record<string, string>
  /** The JSON body of a request to the API. */
  body: unknown
}

export const refuse = (status: number, message: string, more: object = {}) =>
  new Refusal(status, {
    message,
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
    ...more,
  })

export const notFound = () => refuse(404, 'Not Found')

export const ok = (body: object, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  body,
  headers,
})

/** A page has 30 items by default and at most 100; the header `link` names the other pages. */
export function page<T>({ url }: Call, all: T[]): { items: T[]; headers: Record<string, string> } {
  const { items, page, last, linkTo } = pageOf(url, all, {
    size: 30,
    most: 100,
    invalid: (parameter) => refuse(422, `Invalid ${parameter}.`),
  })
  const links = [
    ...(page > 1 ? [`<${linkTo(page - 1)}>; rel="prev"`, `<${linkTo(1)}>; rel="first"`] : []),
    ...(page < last ? [`<${linkTo(page + 1)}>; rel="next"`, `<${linkTo(last)}>; rel="last"`] : []),
  ]
  return { items, headers: links.length > 0 ? { link: links.join(', ') } : {} }
}

/** Matches `/repos/:owner/:repo/contents/*path`: a parameter is one segment, or with a star all that follow. */
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
    throw refuse(400, 'Bad Request')
  }
}
