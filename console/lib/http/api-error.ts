import { toFieldLabel } from '../form/field-labels.ts'

export const unknownErrorMessage = 'An unknown error occurred.'
export const unreachableMessage = 'Could not reach Slipway. Check your connection and try again.'

export class ApiError extends Error {
  override name = 'ApiError'
  readonly messages: string[]
  readonly fields: Record<string, string>
  readonly status: number
  readonly code: string | undefined
  readonly url: string | undefined

  constructor(init: {
    messages: string[]
    fields?: Record<string, string>
    status?: number
    code?: string | undefined
    url?: string | undefined
  }) {
    super(init.messages.join(' '))
    this.messages = init.messages
    this.fields = init.fields ?? {}
    this.status = init.status ?? 0
    this.code = init.code
    this.url = init.url
  }
}

/** Thrown when the session has ended. The user is redirected to the login page, so no toast is shown. */
export class SessionEnded extends ApiError {
  override name = 'SessionEnded'
  constructor() {
    super({ messages: [], status: 401 })
  }
}

/** Returns whether the resource does not exist. A retry is then useless. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

export function readApiError(status: number, body: unknown): ApiError {
  if (isRecord(body)) {
    const [code, url] = [textIn(body, 'code'), textIn(body, 'url')]
    const fields = readFields(body['errors'])
    const messages = [...new Set(Object.entries(fields).map(([field, text]) => named(field, text)))]
    if (messages.length > 0) return new ApiError({ messages, fields, status, code })
    if (typeof body['error'] === 'string' && body['error'] !== '')
      return new ApiError({ messages: [body['error']], status, code, url })
  }
  return new ApiError({ messages: [unknownErrorMessage], status })
}

function readFields(errors: unknown): Record<string, string> {
  if (!isRecord(errors)) return {}
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, messages]): [string, string][] => {
      const first: unknown = Array.isArray(messages) ? messages[0] : messages
      return typeof first === 'string' ? [[field, first]] : []
    }),
  )
}

/** Puts the field name before messages that lack it, such as “Must be a number.” */
const named = (field: string, sentence: string) =>
  /^(Must|Is) /.test(sentence) ? `${toFieldLabel(field)}: ${sentence}` : sentence

const textIn = (body: Record<string, unknown>, name: string) =>
  typeof body[name] === 'string' ? body[name] : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
