import type { z } from 'zod'
import { type Permission, scopeOf } from './shared/permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Key = `${Method} /v1/${string}`

/**
 * Who may call it.
 * `public`: anybody. `user`: anybody signed in.
 * `instance`: an instance owner, in a session; no API token of theirs.
 * A permission: signed in, with a role in the current workspace that holds it.
 */
export type Access = 'public' | 'user' | 'instance' | Permission

/**
 * How an endpoint relates to what an API token can be limited to. Without one it refuses every limited token.
 * `application`, `project`, `deployment`, `container`, `command`: what the parameters name has to be within the limit.
 * `containers`: as `container`, for all that the query names. `filtered`: the reply holds only what is within the limit.
 * `none`: it concerns the caller alone and tells nothing of the workspace.
 */
export type Resource =
  | 'application'
  | 'project'
  | 'deployment'
  | 'container'
  | 'containers'
  | 'command'
  | 'filtered'
  | 'none'

export interface Shape {
  access: Access
  /** Only for a person's session, never for an API token. */
  session?: true
  resource?: Resource
  /** Of a stream: a session token is accepted in the query as well. All other streams accept tickets only. */
  sessionInQuery?: true
  /** Stays possible without a plan: it only reads, takes something away, or leads to a plan. */
  open?: true
  /** Stays possible in a workspace that an instance owner has locked. */
  whileLocked?: true
  summary: string
  params?: z.ZodObject
  /** The last parameter of the path takes all that is left of it, slashes too. */
  rest?: true
  query?: z.ZodObject
  body?: z.ZodObject
  /** The body is taken as it is, byte by byte: its signature is checked before anybody reads it. */
  raw?: true
  reply: z.ZodType
  status?: 200 | 201 | 202 | 302
  /** Server-sent events, a file, or a web socket: the reply's schema is that of one event's data, of the text, or of one message. */
  kind?: 'json' | 'events' | 'file' | 'socket'
  /** Of a file: its content type. */
  type?: string
  /** Honours Idempotency-Key: a repeat gets the first answer. */
  idempotent?: boolean
  /** Largest body in bytes, where it is not that of `maxBodyBytes`. */
  mostBytes?: number
  /** Calls a minute from one address. */
  limit?: number
}

export type Endpoint<K extends Key = Key, S extends Shape = Shape> = S & {
  key: K
  method: Method
  path: string
}

export function endpoint<const K extends Key, const S extends Shape>(key: K, shape: S): Endpoint<K, S> {
  const space = key.indexOf(' ')
  return { ...shape, key, method: key.slice(0, space) as Method, path: key.slice(space + 1) }
}

/** Largest body that is read, in bytes: without a log-in that of a small form, else twice that of the largest file. */
export const maxBodyBytes = ({ access, mostBytes }: Endpoint): number =>
  mostBytes ?? (access === 'public' ? 16_384 : 524_288)

/** Whether it refuses every API token. */
export const needsSession = ({ session, access }: Pick<Endpoint, 'session' | 'access'>) =>
  session === true ||
  access === 'instance' ||
  (access !== 'public' && access !== 'user' && scopeOf[access] === 'session')

/** What reads or deletes is always possible; all else in a workspace needs a plan, where plans are paid for. */
export const needsPlan = ({ access, method, kind, open }: Endpoint) =>
  access !== 'public' &&
  access !== 'user' &&
  access !== 'instance' &&
  !open &&
  (kind === 'socket' || (method !== 'GET' && method !== 'DELETE'))

type Part<E, P extends string> = E extends { [K in P]: infer S extends z.ZodType }
  ? { [K in P]: z.input<S> }
  : unknown

/** What a caller has to pass. */
export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
/** What a caller gets. */
export type Reply<E extends { reply: z.ZodType }> = z.output<E['reply']>
