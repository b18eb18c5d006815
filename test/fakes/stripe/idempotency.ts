import { type Answer, Refusal } from './answer.ts'
import type { State } from './state.ts'

interface Kept {
  path: string
  given: string
  since: number
  requestId: string
  /** None while it is still being answered. */
  answer: Answer | undefined
}

const day = 86_400

/** The answer to a key is kept for a day and given again to whoever asks the same with it. */
export function makeIdempotency(state: State) {
  const kept = new Map<string, Kept>()

  return {
    /** What was answered before, if it was. */
    find(key: string, asked: { path: string; given: string }): Kept | undefined {
      if (key.length > 255)
        throw refused('Idempotency keys may be at most 255 characters long.', 'invalid_request_error')
      const found = kept.get(key)
      if (!found || found.since + day <= state.now()) return void kept.delete(key)
      if (found.path !== asked.path)
        throw refused(
          `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${asked.path}' vs '${found.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
        )
      if (found.given !== asked.given)
        throw refused(
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        )
      if (found.answer) return found
      throw new Refusal(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      })
    },
    begin: (key: string, asked: { path: string; given: string }, requestId: string) =>
      void kept.set(key, { ...asked, since: state.now(), requestId, answer: undefined }),
    keep(key: string, answer: Answer) {
      const found = kept.get(key)
      if (found) found.answer = structuredClone(answer)
    },
    forget: (key: string) => void kept.delete(key),
  }
}

const refused = (message: string, type = 'idempotency_error') => new Refusal(400, { type, message })
