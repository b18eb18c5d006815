import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { CloudState, Deed, FakeKey, FakeServer, FakeToken } from './account.ts'

/** A request whose token was accepted, as its handler sees it. */
export interface Call extends FakeToken {
  state: CloudState
  url: URL
  /** The named parts of the path: /v1/servers/:id. */
  params: Record<string, string>
  body: Record<string, unknown>
  /** Creates a server, which boots from now on. */
  makeServer: (wanted: Wanted) => Promise<FakeServer>
  destroyServer: (server: FakeServer) => void
}

export type Wanted = Pick<FakeServer, 'name' | 'region' | 'type' | 'image'> &
  Partial<Pick<FakeServer, 'labels' | 'tags' | 'keys' | 'userData'>>

export interface Answer {
  status: number
  /** None with 204. */
  body?: object
  headers?: Record<string, string>
}

export type Handler = (call: Call) => Answer | Promise<Answer>

/** By method and path, as `GET /v1/servers/:id`. A token that may only read is allowed GET alone. */
export type Routes = Record<string, [deed: Deed, handler: Handler]>

/** Thrown where the real cloud refuses. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(JSON.stringify(body))
    this.answer = { status, body, headers }
  }
}

/** What differs between the clouds. */
export interface Api {
  routes: Routes
  nextId: () => string
  newToken: () => string
  /** Errors that any call can get. */
  refusals: Record<
    'unauthorized' | 'readOnly' | 'missing' | 'badJson' | 'tooMany' | 'broken' | 'down',
    () => Refusal
  >
  /** The rate limit as response headers. */
  rateHeaders: (rate: CloudState['rate']) => Record<string, string>
}

export const ok = (body: object): Answer => ({ status: 200, body })

export function send(response: ServerResponse, { status, body, headers = {} }: Answer) {
  if (body === undefined) response.writeHead(status, headers).end()
  else
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export const ownKeys = ({ state, account }: Call) => state.keys.filter((key) => key.account === account)
export const ownServers = ({ state, account }: Call) => state.servers.filter((one) => one.account === account)
export const isFull = (call: Call) => ownServers(call).length >= call.state.quota

export function addKey({ state, account }: Call, name: string, publicKey: string): FakeKey {
  const key = { id: state.nextId(), account, name, publicKey, created: new Date() }
  state.keys.push(key)
  return key
}

export function removeKey({ state }: Call, key: FakeKey): Answer {
  state.keys.splice(state.keys.indexOf(key), 1)
  return { status: 204 }
}

/** The MD5 fingerprint of a public key line; undefined where the line is no key. */
export function fingerprintOf(line: unknown): string | undefined {
  if (typeof line !== 'string') return undefined
  const [, kind = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})( [^\n]*)?$/.exec(line.trim()) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // The key repeats its type inside.
  if (kind === '' || bytes.length < 32 || bytes.toString('latin1', 4, 4 + bytes.readUInt32BE(0)) !== kind)
    return undefined
  const digest = createHash('md5').update(bytes).digest('hex')
  return digest.replaceAll(/(..)(?=.)/g, '$1:')
}

/** ISO 8601 without milliseconds, as all three clouds write times. */
export const timeOf = (date: Date, zone = 'Z') => `${date.toISOString().slice(0, 19)}${zone}`
