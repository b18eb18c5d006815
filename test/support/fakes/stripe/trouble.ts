import type { ServerResponse } from 'node:http'
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

/** How calls go wrong. */
export interface Failure {
  /** What is answered, or 'cut': the connection ends without an answer. */
  status: number | 'cut'
  body?: object
  /** Until `heal`, unless told otherwise. */
  times?: number
  /** It is done, and only then goes wrong. */
  afterDoing?: boolean
  /** What went wrong is what a repeat with the same key hears too, as with an error inside the real one. */
  isKept?: boolean
}

interface Planned<T> {
  pattern: string
  what: T
  times: number
}

/** "POST /v1/customers", or "/v1/customers" for any method; a star stands for anything. */
function fits(pattern: string, asked: string): boolean {
  const [method, path] = pattern.includes(' ') ? pattern.split(' ', 2) : ['*', pattern]
  const source = `${method} ${path}`.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(`^${source}$`).test(asked)
}

function take<T>(planned: Planned<T>[], asked: string, is: (what: T) => boolean = () => true): T | undefined {
  const found = planned.find(({ pattern, what }) => fits(pattern, asked) && is(what))
  if (!found) return undefined
  if (--found.times <= 0) planned.splice(planned.indexOf(found), 1)
  return found.what
}

export function makeTrouble() {
  const failures: Planned<Failure>[] = []
  const delays: Planned<{ ms: number; afterDoing: boolean }>[] = []
  const limits: Planned<true>[] = []
  const waiting = new Map<ReturnType<typeof setTimeout>, { asked: string; go: () => void }>()
  let isBroken = false

  return {
    /** Whether a call of that kind is there and waits. */
    isWaiting: (pattern: string) => [...waiting.values()].some(({ asked }) => fits(pattern, asked)),
    isBroken: () => isBroken,
    break: (is: boolean) => void (isBroken = is),
    fail: (pattern: string, what: Failure) =>
      void failures.push({ pattern, what, times: what.times ?? Infinity }),
    slow: (pattern: string, ms: number, { times = Infinity, afterDoing = false } = {}) =>
      void delays.push({ pattern, what: { ms, afterDoing }, times }),
    limit: (pattern: string, times: number) => void limits.push({ pattern, what: true, times }),
    checkLimit(asked: string) {
      if (!take(limits, asked)) return
      throw new Refusal(429, {
        code: 'rate_limit',
        message:
          'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
      })
    },
    failureOf: (asked: string, afterDoing: boolean) =>
      take(failures, asked, (one) => Boolean(one.afterDoing) === afterDoing),
    /** An endless wait ends with `heal`. */
    async wait(asked: string, afterDoing: boolean) {
      const delay = take(delays, asked, (one) => one.afterDoing === afterDoing)
      if (!delay) return
      await new Promise<void>((resolve) => {
        const key = Number.isFinite(delay.ms) ? setTimeout(go, delay.ms) : setTimeout(go, 2 ** 31 - 1)
        function go() {
          waiting.delete(key)
          resolve()
        }
        waiting.set(key, { asked, go })
      })
    },
    heal() {
      failures.length = delays.length = limits.length = 0
      isBroken = false
      for (const [timer, { go }] of waiting) {
        clearTimeout(timer)
        go()
      }
    },
  }
}

const broken = { error: { type: 'api_error', message: 'An unknown error occurred.' } }

/** What is said where nothing else was told. */
export const answerOf = (status: number, body: object = broken): Answer => ({ status, body })

export function sendFailure(response: ServerResponse, { status, body }: Failure) {
  if (status === 'cut') {
    response.destroy()
    return
  }
  const said = answerOf(status, body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
}
