import { randomUUID } from 'node:crypto'
import type { Deed } from '../account.ts'
import { type Answer, type Call, type Handler, ok, Refusal } from '../answer.ts'

export const refuse = (status: number, id: string, message: string) =>
  new Refusal(status, { id, message, request_id: randomUUID() })

export const unfit = (message = 'Invalid request.') => refuse(422, 'unprocessable_entity', message)
export const missing = () => refuse(404, 'not_found', 'The resource you requested could not be found.')
export const forbidden = () => refuse(403, 'forbidden', 'You are not authorized to perform this operation')

/** Tokens may have custom scopes, such as droplet:create. */
export function need({ rights }: Call, ...scopes: string[]): void {
  if (Array.isArray(rights) && !scopes.every((scope) => rights.includes(scope))) throw forbidden()
}

export const scoped = (scope: string, deed: Deed, handler: Handler): [Deed, Handler] => [
  deed,
  (call) => {
    need(call, scope)
    return handler(call)
  },
]

/** One page of a list, with links to the others as far as there are any. */
export function page<T>(call: Call, key: string, all: T[], show: (one: T) => object): Answer {
  const { state, url } = call
  const number = (name: string, otherwise: number) => {
    const given = url.searchParams.get(name) ?? String(otherwise)
    if (!/^[1-9]\d*$/.test(given)) throw refuse(400, 'bad_request', `invalid value for ${name}`)
    return Number(given)
  }
  const size = Math.min(number('per_page', 20), 200, state.mostPerPage)
  const at = number('page', 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const linkTo = (to: number) => {
    const there = new URL(url.pathname + url.search, state.url)
    there.searchParams.set('page', String(to))
    return there.href
  }
  const pages = {
    ...(at > 1 && { first: linkTo(1), prev: linkTo(at - 1) }),
    ...(at < last && { next: linkTo(at + 1), last: linkTo(last) }),
  }
  const shown = all.slice((at - 1) * size, at * size).map(show)
  return ok({ [key]: shown, links: last > 1 ? { pages } : {}, meta: { total: all.length } })
}
