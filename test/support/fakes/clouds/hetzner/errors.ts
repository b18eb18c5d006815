import { type Answer, type Call, ok, Refusal } from '../answer.ts'

/** Error codes, each with its status. */
const statuses = {
  json_error: 400,
  unauthorized: 401,
  token_readonly: 401,
  forbidden: 403,
  resource_limit_exceeded: 403,
  not_found: 404,
  uniqueness_error: 409,
  conflict: 409,
  deprecated_api_endpoint: 410,
  resource_unavailable: 412,
  invalid_input: 422,
  placement_error: 422,
  locked: 423,
  protected: 423,
  rate_limit_exceeded: 429,
  server_error: 500,
  unavailable: 503,
} as const

export const hetznerError = (code: keyof typeof statuses, message: string, details: object | null = null) =>
  new Refusal(statuses[code], { error: { code, message, details } })

export const invalid = (field: string, message: string) =>
  hetznerError('invalid_input', `invalid input in field '${field}': ${message}`, {
    fields: [{ name: field, messages: [message] }],
  })

export const notUnique = (field: string, message: string) =>
  hetznerError('uniqueness_error', message, { fields: [{ name: field }] })

export const removed = (announcement: string) => () => {
  throw hetznerError('deprecated_api_endpoint', 'API functionality was removed', {
    announcement: `https://docs.hetzner.cloud/changelog#${announcement}`,
  })
}

/** One page of a list: 25 by default, never more than 50. Where a name is asked for, only those of that name. */
export function page<T extends { name: string | null }>(
  { url, state }: Call,
  key: string,
  listed: T[],
  show: (one: T) => object = (one) => one,
): Answer {
  const number = (name: string, otherwise: number) => {
    const given = url.searchParams.get(name) ?? String(otherwise)
    if (!/^[1-9]\d{0,8}$/.test(given)) throw invalid(name, 'must be a positive number')
    return Number(given)
  }
  const name = url.searchParams.get('name')
  const all = listed.filter((one) => name === null || one.name === name)
  const per_page = Math.min(number('per_page', 25), 50, state.mostPerPage)
  const at = number('page', 1)
  const last = Math.max(1, Math.ceil(all.length / per_page))
  const pagination = {
    page: at,
    per_page,
    previous_page: at > 1 ? at - 1 : null,
    next_page: at < last ? at + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  return ok({ [key]: all.slice((at - 1) * per_page, at * per_page).map(show), meta: { pagination } })
}
