import { createHash } from 'node:crypto'
import type { Reply, Refusal } from '../http-service.ts'
import type { FieldError } from '../openapi/published.ts'
import type { CloudState, FakeKey, FakeServer, FakeToken, NewServer, Operation } from './state.ts'

/** An authenticated request whose query and body are valid by the published document. */
export interface Call extends FakeToken {
  state: CloudState
  url: URL
  params: Record<string, string>
  body: Record<string, unknown>
  /** Refuses the request unless the token has one of these scopes. */
  requireScope: (...oneOf: string[]) => void
  /** Creates a server, which boots from now on. */
  createServer: (given: NewServer) => Promise<FakeServer>
  destroyServer: (server: FakeServer) => void
}

type Handler = (call: Call) => Reply | Promise<Reply>

/** By method and path as in the published document. The scopes are alternatives; without any, every token may call it. */
export type Routes = Record<string, [operation: Operation, handler: Handler, scopes?: string[] | undefined]>

/** Differences between the clouds. */
export interface CloudApi {
  /** Name of its published document in `openapi/`. */
  document: string
  routes: Routes
  nextId: () => string
  newToken: () => string
  /** Errors that any request can get. */
  errors: Record<
    'unauthorized' | 'forbidden' | 'notFound' | 'badJson' | 'rateLimited' | 'serverError' | 'unavailable',
    () => Refusal
  >
  /** For a query or a body that does not fit the document. */
  invalid: (error: FieldError) => Refusal
  hasRateHeaders: boolean
}

/** Fields of a body that the published document has checked already. */
export const textOf = (value: unknown, otherwise = '') => (typeof value === 'string' ? value : otherwise)
export const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

export const ok = (body: object): Reply => ({ status: 200, body })

export const ownKeys = ({ state, account }: Call) => state.keys.filter((key) => key.account === account)
export const ownServers = ({ state, account }: Call) =>
  state.servers.filter((server) => server.account === account)
export const isQuotaReached = (call: Call) => ownServers(call).length >= call.state.quota
export const isSoldOut = ({ soldOut }: CloudState, type: string, region: string) =>
  soldOut.has(`${type}@${region}`)

type ShowPage = <T extends { name: string | null }>(
  call: Call,
  key: string,
  all: T[],
  show: (item: T) => object,
) => Reply

interface KeyApi {
  path: string
  /** The field with the public key. */
  field: string
  scopes?: { read?: string[]; create: string[]; delete: string[] }
  page: ShowPage
  show: (key: FakeKey) => object
  isIdOf?: (id: string, key: FakeKey) => boolean
  notFound: (id: string) => Refusal
  blankName: () => Refusal
  invalidKey: () => Refusal
  /** Refuses a key that the account has already, where the provider does. */
  conflict?: (existing: FakeKey, name: string, fingerprint: string) => Refusal | undefined
}

/** SSH keys, which the three providers serve in the same form. */
export function keyRoutes(api: KeyApi): Routes {
  const { path, scopes, isIdOf = (id, key) => key.id === id } = api

  function createKey(call: Call): Reply {
    const name = textOf(call.body['name'])
    const publicKey = textOf(call.body[api.field])
    const fingerprint = fingerprintOf(publicKey)
    if (name.trim() === '') throw api.blankName()
    if (!fingerprint) throw api.invalidKey()
    for (const existing of ownKeys(call)) {
      const conflict = api.conflict?.(existing, name, fingerprint)
      if (conflict) throw conflict
    }
    const key = { id: call.state.nextId(), account: call.account, name, publicKey, created: new Date() }
    call.state.keys.push(key)
    return { status: 201, body: { ssh_key: api.show(key) } }
  }

  function deleteKey(call: Call): Reply {
    const id = call.params['id'] ?? ''
    const key = ownKeys(call).find((one) => isIdOf(id, one))
    if (!key) throw api.notFound(id)
    call.state.keys.splice(call.state.keys.indexOf(key), 1)
    return { status: 204 }
  }

  return {
    [`GET ${path}`]: ['list', (call) => api.page(call, 'ssh_keys', ownKeys(call), api.show), scopes?.read],
    [`POST ${path}`]: ['add key', createKey, scopes?.create],
    [`DELETE ${path}/:id`]: ['remove key', deleteKey, scopes?.delete],
  }
}

interface ServerApi {
  path: string
  /** The provider’s word for a server. */
  name: 'server' | 'droplet' | 'instance'
  scopes?: { read: string[]; create: string[]; delete: string[] }
  page: ShowPage
  show: (call: Call, server: FakeServer) => object
  notFound: (id: string) => Refusal
  /** Whether a server is listed by the query. */
  filter: (call: Call) => (server: FakeServer) => boolean
  create: (call: Call) => Promise<Reply>
  /** Throws where the server cannot be deleted now. */
  checkDeletion: (server: FakeServer) => void
  deleted?: (call: Call, server: FakeServer) => Reply
}

export function serverRoutes(api: ServerApi): Routes {
  const { path, name, scopes } = api

  function find(call: Call): FakeServer {
    const id = call.params['id'] ?? ''
    const server = ownServers(call).find((one) => one.id === id)
    if (!server) throw api.notFound(id)
    return server
  }

  function list(call: Call): Reply {
    const servers = ownServers(call).filter(api.filter(call))
    return api.page(call, `${name}s`, servers, (server) => api.show(call, server))
  }

  function destroy(call: Call): Reply {
    const server = find(call)
    api.checkDeletion(server)
    call.destroyServer(server)
    return api.deleted?.(call, server) ?? { status: 204 }
  }

  return {
    [`GET ${path}`]: ['list', list, scopes?.read],
    [`POST ${path}`]: ['create', api.create, scopes?.create],
    [`GET ${path}/:id`]: ['look', (call) => ok({ [name]: api.show(call, find(call)) }), scopes?.read],
    [`DELETE ${path}/:id`]: ['destroy', destroy, scopes?.delete],
  }
}

/** The MD5 fingerprint of a public key line; undefined if the line is not a key. */
export function fingerprintOf(line: string): string | undefined {
  const [, type = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})( [^\n]*)?$/.exec(line.trim()) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // The key repeats its type inside.
  if (type === '' || bytes.length < 32 || bytes.toString('latin1', 4, 4 + bytes.readUInt32BE(0)) !== type)
    return undefined
  const digest = createHash('md5').update(bytes).digest('hex')
  return digest.replaceAll(/(..)(?=.)/g, '$1:')
}

/** ISO 8601 without milliseconds, as all three clouds write times. */
export const formatTime = (date: Date, zone = '+00:00') => `${date.toISOString().slice(0, 19)}${zone}`
