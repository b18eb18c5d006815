import type { Answer } from './idempotency.ts'

/** A fault that requests run into. */
export interface Fault {
  /** The answer, or 'cut' to close the connection without one. */
  status: number | 'cut'
  body?: object
  /** Until `heal` by default. */
  times?: number
  /** The request is processed before it fails. */
  afterDoing?: boolean
  /** Whether the failure is kept as the answer to the idempotency key, like an internal error of Stripe. */
  isKept?: boolean
}

interface Planned<T> {
  pattern: string
  effect: T
  times: number
  afterDoing: boolean
}

/** Matches "POST /v1/customers", or "/v1/customers" for any method; a star matches anything. */
function matches(pattern: string, request: string): boolean {
  const full = pattern.includes(' ') ? pattern : `* ${pattern}`
  const source = full.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(`^${source}$`).test(request)
}

function take<T>(planned: Planned<T>[], request: string, afterDoing: boolean): T | undefined {
  const found = planned.find((one) => one.afterDoing === afterDoing && matches(one.pattern, request))
  if (!found) return undefined
  found.times--
  if (found.times <= 0) planned.splice(planned.indexOf(found), 1)
  return found.effect
}

/** Injects faults and delays into API requests. */
export function createFaults() {
  const faults: Planned<Fault>[] = []
  const delays: Planned<number>[] = []
  const waiting = new Map<NodeJS.Timeout, { request: string; proceed: () => void }>()
  let isDown = false

  return {
    setDown: (value: boolean) => void (isDown = value),
    fail: (pattern: string, effect: Fault) =>
      void faults.push({ times: Infinity, afterDoing: false, ...effect, pattern, effect }),
    slow: (pattern: string, ms: number, { times = Infinity, afterDoing = false } = {}) =>
      void delays.push({ pattern, effect: ms, times, afterDoing }),
    isWaiting: (pattern: string) => [...waiting.values()].some(({ request }) => matches(pattern, request)),
    find: (request: string, afterDoing: boolean): Fault | undefined =>
      isDown && !afterDoing ? { status: 500 } : take(faults, request, afterDoing),
    /** Waits for the planned delay; an infinite one ends with `heal`. */
    async wait(request: string, afterDoing: boolean) {
      const ms = take(delays, request, afterDoing)
      if (ms === undefined) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(proceed, Math.min(ms, 2 ** 31 - 1))
        function proceed() {
          waiting.delete(timer)
          resolve()
        }
        waiting.set(timer, { request, proceed })
      })
    },
    heal() {
      faults.length = 0
      delays.length = 0
      isDown = false
      for (const [timer, { proceed }] of waiting) {
        clearTimeout(timer)
        proceed()
      }
    },
  }
}

const internalError = { error: { type: 'api_error', message: 'An unknown error occurred.' } }

/** The answer of a fault; undefined where the connection is cut. */
export const answerOf = ({ status, body = internalError }: Fault): Answer | undefined =>
  status === 'cut' ? undefined : { status, body }
