import { ApiError } from './errors.ts'
import { day, type State } from './state.ts'

export interface Answer {
  status: number
  body: unknown
}

interface KeyedRequest {
  path: string
  /** The parameters in a canonical order. */
  params: string
  requestId: string
}

interface KeptRequest extends KeyedRequest {
  since: number
  /** Undefined while the request is in progress. */
  answer: Answer | undefined
}

/** Keeps the answer to each idempotency key for a day. */
export function createIdempotency(state: State) {
  const requests = new Map<string, KeptRequest>()

  return {
    /** The request that was answered with this key before. */
    find(key: string, { path, params }: KeyedRequest): (KeptRequest & { answer: Answer }) | undefined {
      if (key.length > 255)
        throw new ApiError(400, { message: 'Idempotency keys may be at most 255 characters long.' })
      const kept = requests.get(key)
      if (!kept || kept.since + day <= state.now()) return undefined
      if (kept.path !== path) throw idempotencyError('endpoint', key)
      if (kept.params !== params) throw idempotencyError('parameters', key)
      if (!kept.answer)
        throw new ApiError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
        })
      return { ...kept, answer: kept.answer }
    },
    begin: (key: string, request: KeyedRequest) =>
      void requests.set(key, { ...request, since: state.now(), answer: undefined }),
    keep(key: string, answer: Answer) {
      const kept = requests.get(key)
      if (kept) kept.answer = structuredClone(answer)
    },
  }
}

const idempotencyError = (what: string, key: string) =>
  new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same ${what} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
