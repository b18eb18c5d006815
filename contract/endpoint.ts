import type { z } from 'zod'
import { type Permission, permissionScopes } from './shared/permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Key = `${Method} /v1/${string}`

/**
 * `instance` requires an instance owner with a session, not an API token. A permission requires a role that has it in
 * the current workspace.
 */
export type Access = 'public' | 'user' | 'instance' | Permission

/**
 * How the limit of an API token applies. Endpoints without this field refuse limited tokens. `application`, `project`,
 * `deployment`, `container`, `command`: the object in the parameters must be within the limit. `containers`: like
 * `container`, for all containers in the query. `filtered`: the reply contains only objects within the limit. `none`:
 * the endpoint concerns only the caller.
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
  session?: true
  resource?: Resource
  /** Set for streams that accept a session token in the query. Other streams accept only tickets there. */
  sessionInQuery?: true
  /** The endpoint works without a plan, because it only reads, deletes or leads to a plan. */
  open?: true
  whileLocked?: true
  /** The summary is an imperative without a full stop. */
  summary: string
  description?: string
  params?: z.ZodObject
  /** The last path parameter matches the rest of the path, including slashes. */
  rest?: true
  query?: z.ZodObject
  body?: z.ZodObject
  /** The raw body is passed unread, because its signature must be checked first. */
  raw?: true
  reply: z.ZodType
  status?: 200 | 201 | 202 | 302
  /** The reply schema describes one event, the text of a file, or one message. */
  kind?: 'json' | 'events' | 'file' | 'socket'
  type?: string
  /** The endpoint supports Idempotency-Key: a repeated request gets the first reply. */
  idempotent?: boolean
  /** Overrides `maxBodyBytes`. */
  mostBytes?: number
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

/** Maximum size of a body in bytes: a small form without authentication, otherwise twice the largest file. */
export const maxBodyBytes = ({ access, mostBytes }: Endpoint): number =>
  mostBytes ?? (access === 'public' ? 16_384 : 524_288)

export const needsSession = ({ session, access }: Pick<Endpoint, 'session' | 'access'>) =>
  session === true ||
  access === 'instance' ||
  (access !== 'public' && access !== 'user' && permissionScopes[access] === 'session')

/** Reading and deleting never need a plan. */
export const needsPlan = ({ access, method, kind, open }: Endpoint) =>
  access !== 'public' &&
  access !== 'user' &&
  access !== 'instance' &&
  !open &&
  (kind === 'socket' || (method !== 'GET' && method !== 'DELETE'))

type Part<E, P extends string> = E extends { [K in P]: infer S extends z.ZodType }
  ? { [K in P]: z.input<S> }
  : unknown

export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
export type Reply<E extends { reply: z.ZodType }> = z.output<E['reply']>
