export interface Call {
  method: string
  path: string
  headers: Headers
  body: unknown
  /** Response body, once received. */
  answer?: unknown
}

export interface Network {
  /** API requests in order. */
  calls: Call[]
  /** Fails requests to such a path; returns a function that restores it. */
  lose: (path: RegExp) => () => void
  /** Answers requests to such a path like a gateway. */
  intercept: (path: RegExp, status: number, body?: string) => void
  /** Drops pending requests, like leaving a page. */
  abandon: () => void
  /** Drops pending requests and recorded calls. */
  leave: () => void
  /** Restores Node's fetch. */
  close: () => void
}

/** Redirects relative requests to this URL. Others belong to the server. */
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

/** Reads the whole body, so that leaving a page never yields half a response. */
async function whole(call: Call, answer: Response): Promise<Response> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const text = await answer.text()
  const { status, headers } = answer
  if (headers.get('content-type')?.startsWith('application/json')) call.answer = JSON.parse(text)
  return new Response(text === '' ? null : text, { status, headers })
}

const never = () => new Promise<never>(() => undefined)
