import type { IncomingHttpHeaders } from 'node:http'
import type { CloudState, Deed, FakeServer, FakeToken } from './account.ts'

/** One request whose token was taken, as those who answer it see it. */
export interface Call extends FakeToken {
  state: CloudState
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** What stood in its path: /v1/servers/:id. */
  params: Record<string, string>
  /** Undefined where there was none. */
  body: Record<string, unknown> | undefined
  /** Makes one, which boots from now on. */
  makeServer: (wanted: Wanted) => Promise<FakeServer>
  destroyServer: (server: FakeServer) => void
}

export type Wanted = Pick<FakeServer, 'name' | 'region' | 'type' | 'image'> &
  Partial<Pick<FakeServer, 'labels' | 'tags' | 'keys' | 'userData'>>

export interface Answer {
  status: number
  /** None, with 204. */
  body?: object
  headers?: Record<string, string>
}

export type Handler = (call: Call) => Answer | Promise<Answer>

/** A token that may only look is let through where the method is GET. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A name after a colon takes one part: /v1/servers/:id. */
  path: string
  deed: Deed
  answer: Handler
}

/** What the real one answers where it refuses. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(JSON.stringify(body))
    this.answer = { status, body, headers }
  }
}

/** What is its own at each cloud. */
export interface Api {
  routes: Route[]
  nextId: () => string
  newToken: () => string
  /** The words it refuses with where every call is refused alike. */
  refusals: Record<
    'unauthorized' | 'readOnly' | 'missing' | 'badJson' | 'tooMany' | 'broken' | 'down',
    () => Refusal
  >
  /** What every answer says of the calls that are left. */
  rateHeaders: (rate: CloudState['rate']) => Record<string, string>
}
