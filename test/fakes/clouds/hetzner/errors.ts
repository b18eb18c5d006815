import { Refusal } from '../answer.ts'

/** Its words for what it refuses, and the status that each of them comes with. */
const statuses = {
  json_error: 400,
  unauthorized: 401,
  forbidden: 403,
  token_readonly: 403,
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
