import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Id } from '../contract/shared/ids.ts'
import {
  roleAllowsInWorkspace,
  type Permission,
  type Role,
  type Scope,
  scopeIncludes,
  type ShellAccess,
} from '../contract/shared/permissions.ts'
import type { Context } from './context.ts'

export interface Anonymous {
  address: string
  agent: string
  cookie(name: string): string | undefined
}

export type TokenLimit = { projects: Id<'project'>[] } | { applications: Id<'application'>[] }

export type Via =
  | { kind: 'session'; id: Id<'session'> }
  | { kind: 'api_token'; id: Id<'apiToken'>; scope: Scope; limit: TokenLimit | undefined }

export interface User extends Anonymous {
  user: { id: Id<'user'>; name: string; email: string }
  via: Via
  tokenHash: string
  isInstanceOwner: boolean
  workspace: CurrentWorkspace | undefined
}

interface CurrentWorkspace {
  id: Id<'workspace'>
  role: Role
  shell_access: ShellAccess
  locked?: boolean
}

/** The caller in a workspace. For tenant isolation, every query is limited to `workspace.id`. */
export interface Actor extends User {
  workspace: CurrentWorkspace
}

export const getTokenLimit = ({ via }: Pick<User, 'via'>) =>
  via.kind === 'api_token' ? via.limit : undefined

/** Checks role, scope and token limit; use it instead of the role. A limited token never controls a whole server. */
export const hasPermission = (caller: Pick<Actor, 'via' | 'workspace'>, permission: Permission): boolean =>
  roleAllowsInWorkspace(caller.workspace, permission) &&
  (caller.via.kind === 'session' || scopeIncludes(caller.via.scope, permission)) &&
  !(getTokenLimit(caller) && permission === 'servers.root')

type Caller<E extends Endpoint> = E['access'] extends 'public'
  ? Anonymous
  : E['access'] extends Permission
    ? Actor
    : User

type ParsedInput<E, P extends string> = E extends { [K in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

export interface Request<E extends Endpoint> {
  caller: Caller<E>
  params: ParsedInput<E, 'params'>
  query: ParsedInput<E, 'query'>
  body: ParsedInput<E, 'body'>
  raw: E extends { raw: true } ? RawBody : undefined
  /** The signal is aborted when the caller disconnects. */
  signal: AbortSignal
  lastEventId: string | undefined
}

export interface RawBody {
  header(name: string): string | undefined
  /** Reads the body once. Throws if it is larger than the limit. */
  read(most: number): Promise<Buffer>
  /** Reads the body once and keeps its first bytes. Throws if it is larger than `most`. */
  readStart(kept: number, most: number, onChunk?: (chunk: Buffer) => void): Promise<BodyStart>
}

export interface BodyStart {
  bytes: Buffer
  isTruncated: boolean
}

export interface LiveEvent<D> {
  id: string
  data: D
  /** The event goes to many callers, so it is serialized only once. */
  shared?: true
}

/** A WebSocket, as areas see it. Each handler is set once, before the next message is read. */
export interface Socket<M> {
  sendMessage(message: M): void
  send(bytes: Buffer): void
  buffered(): number
  onDrain(handler: () => void): void
  /** Sets the handler of messages. Earlier messages are buffered for it. */
  onText(handler: (text: string) => void): void
  /** Calls the handler with a reason when the caller loses access, right before the socket is closed. */
  onDismiss(handler: (reason: string) => void): void
  /**
   * Calls the handler once, or immediately if the socket is closed. `left`: the caller closed the socket on purpose.
   */
  onClose(handler: (left: boolean) => void): void
  close(): void
  /** Closes the socket after a protocol violation. */
  refuse(): void
}

export class ReplyWithHeaders<B> {
  readonly body: B
  readonly headers: Record<string, string>

  constructor(body: B, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

export const successReply = { success: true } as const

type Body<E extends Endpoint> = z.input<E['reply']>
type Replies<E extends Endpoint> = E extends { kind: 'events' }
  ? AsyncIterable<LiveEvent<Body<E>>>
  : E extends { kind: 'file' }
    ? Promise<ReplyWithHeaders<AsyncIterable<string> | Buffer[]>>
    : E extends { kind: 'socket' }
      ? Promise<SocketHandler<Body<E>>>
      : Promise<Body<E> | ReplyWithHeaders<Body<E>>>

/** Handles the opened socket. A request is refused before that, with a plain HTTP response. */
export interface SocketHandler<M> {
  (socket: Socket<M>): void | Promise<void>
  /** Extra check besides the permission of the endpoint. The socket is closed when it returns false. */
  isStillAllowed?: (now: Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>) => boolean
}

export interface Route {
  endpoint: Endpoint
  handle(ctx: Context, request: Request<Endpoint>): unknown
}

export function route<E extends Endpoint>(
  endpoint: E,
  handle: (ctx: Context, request: Request<E>) => Replies<E>,
): Route {
  // The types match, because `mount` parses the request with the schemas of this endpoint.
  return { endpoint, handle: (ctx, request) => handle(ctx, request) }
}
