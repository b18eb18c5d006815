export interface Call {
  method: string
  path: string
  headers: Headers
  body: unknown
  /** The body of the answer, once there is one. */
  answer?: unknown
}

export interface Network {
  /** All that the page has asked of the API, first things first. */
  calls: Call[]
  /** Loses every request to such a path, as a broken line does. Returns what mends it. */
  lose: (path: RegExp) => () => void
  /** A gateway in front of Slipway answers every request to such a path itself. */
  intercept: (path: RegExp, status: number, body?: string) => void
  /** What is still under way is never heard of again, as when a page is left. */
  abandon: () => void
  /** Abandons it, with all that is known of the page. */
  leave: () => void
  /** Gives Node back its own fetch. */
  close: () => void
}

/** Leads what the page asks for, by paths alone, to this address. All other requests are those of the server. */
export function openNetwork(base: string): Network {
  const { fetch: nodeFetch } = globalThis
  const calls: Call[] = []
  const lost = new Set<RegExp>()
  const intercepted = new Map<RegExp, () => Response>()
  let page = new AbortController()

  async function fetchForPage(to: string, init: RequestInit = {}): Promise<Response> {
    const { signal: leaving } = page
    const url = new URL(to, base)
    const signal = AbortSignal.any([leaving, ...(init.signal ? [init.signal] : [])])
    const { method = 'GET', body } = init
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    const path = url.pathname + url.search
    const call: Call = { method, path, headers: new Headers(init.headers), body: sent }
    calls.push(call)
    try {
      if ([...lost].some((pattern) => pattern.test(url.pathname))) throw new TypeError('The line is broken.')
      const [, byGateway] = [...intercepted].find(([pattern]) => pattern.test(url.pathname)) ?? []
      if (byGateway) return byGateway()
      const answer = await whole(call, await nodeFetch(url, { ...init, signal }))
      return leaving.aborted ? await never() : answer
    } catch (error) {
      if (leaving.aborted) return never()
      throw error
    }
  }

  function abandon() {
    page.abort()
    page = new AbortController()
  }

  globalThis.fetch = (input, init) =>
    typeof input === 'string' && input.startsWith('/') ? fetchForPage(input, init) : nodeFetch(input, init)

  return {
    calls,
    lose(path) {
      lost.add(path)
      return () => void lost.delete(path)
    },
    intercept: (path, status, body = '') => void intercepted.set(path, () => new Response(body, { status })),
    abandon,
    leave() {
      abandon()
      calls.length = 0
      lost.clear()
      intercepted.clear()
    },
    close() {
      page.abort()
      globalThis.fetch = nodeFetch
    },
  }
}

/** With its body read, so that a page that is left in between does not see half an answer; streams are read on. */
async function whole(call: Call, answer: Response): Promise<Response> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const text = await answer.text()
  const { status, headers } = answer
  if (headers.get('content-type')?.startsWith('application/json')) call.answer = JSON.parse(text)
  return new Response(text === '' ? null : text, { status, headers })
}

const never = () => new Promise<never>(() => undefined)
