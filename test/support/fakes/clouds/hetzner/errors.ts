import { Refusal, type Reply } from '../../http-service.ts'
import { readPublished } from '../../openapi/published.ts'
import { pageOf } from '../../page.ts'
import { type Call, ok } from '../api.ts'

const statuses = Object.entries(readPublished('hetzner').errors ?? {})

/** An error with the status that the published document gives its code. */
export function hetznerError(code: string, message: string, details: object | null = null) {
  const [status] = statuses.find(([, codes]) => codes.split(' ').includes(code)) ?? []
  if (!status) throw new Error(`Hetzner has no error ${code}.`)
  return new Refusal(Number(status), { error: { code, message, details } })
}

export const invalid = (field: string, message: string) =>
  hetznerError('invalid_input', `invalid input in field '${field}': ${message}`, {
    fields: [{ name: field, messages: [message] }],
  })
export const notUnique = (field: string, message: string) =>
  hetznerError('uniqueness_error', message, { fields: [{ name: field }] })

/** A page has 25 items by default and at most 50; with `name` only those of that name. */
export function page<T extends { name: string | null }>(
  { url, state }: Call,
  key: string,
  listed: T[],
  show: (item: T) => object = (item) => item,
): Reply {
  const name = url.searchParams.get('name')
  const all = listed.filter((item) => name === null || item.name === name)
  const { items, page, perPage, last } = pageOf(url, all, {
    size: 25,
    most: Math.min(50, state.mostPerPage),
    invalid: (parameter) => invalid(parameter, 'must be a positive number'),
  })
  const pagination = {
    page,
    per_page: perPage,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < last ? page + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  return ok({ [key]: items.map(show), meta: { pagination } })
}
