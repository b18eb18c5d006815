import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Id } from '../contract/shared/ids.ts'
import {
  mayIn,
  type Permission,
  type Role,
  type Scope,
  scopeIncludes,
  type ShellAccess,
} from '../contract/shared/permissions.ts'
import type { Context } from './context.ts'

/** Somebody we know nothing of but where the call came from. */
export interface Anonymous {
  address: string
  agent: string
  cookie(name: string): string | undefined
}

/** The projects, or the applications, that an API token is limited to. */
export type TokenLimit = { projects: Id<'project'>[] } | { applications: Id<'application'>[] }

export type Via =
  | { kind: 'session'; id: Id<'session'> }
  | { kind: 'api_token'; id: Id<'apiToken'>; scope: Scope; limit: TokenLimit | undefined }

/** Somebody signed in, perhaps in no workspace. */
export interface User extends Anonymous {
  user: { id: Id<'user'>; name: string; email: string }
  via: Via
  tokenHash: string
  /** Holds the rights of the operator of this Slipway. */
  isInstanceOwner: boolean
  workspace: CurrentWorkspace | undefined
}

/** The workspace that somebody works in, with their role there and the settings that narrow it. */
interface CurrentWorkspace {
  id: Id<'workspace'>
  role: Role
  shell_access: ShellAccess
  locked?: boolean
}

/** Somebody at work in a workspace, with the right that the endpoint asks for. */
export interface Actor extends User {
  workspace: CurrentWorkspace
}

/** What the caller is limited to; nothing for a session, and for an API token without a limit. */
export const tokenLimitOf = ({ via }: Pick<User, 'via'>) => (via.kind === 'api_token' ? via.limit : undefined)

/**
 * Whether the caller has a permission: by their role and, with an API token, by its scope. Ask this and not the role
 * alone. What gives control of a whole server is more than a token that is limited to parts of the workspace may do.
 */
export const hasPermission = (caller: Pick<Actor, 'via' | 'workspace'>, permission: Permission): boolean =>
  mayIn(caller.workspace, permission) &&
  (caller.via.kind === 'session' || scopeIncludes(caller.via.scope, permission)) &&
  !(tokenLimitOf(caller) && permission === 'servers.root')

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
  /** Of an endpoint that takes its body as it is. */
  raw: E extends { raw: true } ? RawBody : undefined
  /** Aborted when the caller went away. */
  signal: AbortSignal
  /** Where a stream was broken off. */
  lastEventId: string | undefined
}

/** A call whose body nobody has read yet. */
export interface RawBody {
  header(name: string): string | undefined
  /** The body, once; throws where it has more bytes than that. */
  read(most: number): Promise<Buffer>
}

export interface LiveEvent<D> {
  id: string
  data: D
  /** Goes to many, so it is written out only once. */
  shared?: true
}

/** A web socket, as areas see it. All handlers are set once, and before the caller's next message is read. */
export interface Socket<M> {
  /** A message of the contract, as JSON. */
  sendMessage(message: M): void
  send(bytes: Buffer): void
  /** How many bytes were sent and have not left yet. */
  buffered(): number
  /** Called whenever some of them have left. */
  onDrain(handler: () => void): void
  /** What came before this is set is kept for it. */
  onText(handler: (text: string) => void): void
  /** Called when the caller may not be here any longer, with the reason as a sentence; it is closed right after. */
  onDismiss(handler: (why: string) => void): void
  /** Called once, or at once if it is closed already. `left`: the caller said that they are through with it. */
  onClose(handler: (left: boolean) => void): void
  close(): void
  /** Closes it on whoever does not keep to the contract. */
  refuse(): void
}

/** A reply that is more than its body. */
export class ReplyWithHeaders<B> {
  readonly body: B
  readonly headers: Record<string, string>

  constructor(body: B, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** What is answered where there is nothing else to say. */
export const successReply = { success: true } as const

type Body<E extends Endpoint> = z.input<E['reply']>
type Replies<E extends Endpoint> = E extends { kind: 'events' }
  ? AsyncIterable<LiveEvent<Body<E>>>
  : E extends { kind: 'file' }
    ? Promise<ReplyWithHeaders<AsyncIterable<string>>>
    : E extends { kind: 'socket' }
      ? Promise<SocketHandler<Body<E>>>
      : Promise<Body<E> | ReplyWithHeaders<Body<E>>>

/** What is done once the socket is open. Whatever can be refused before that was refused before it. */
export interface SocketHandler<M> {
  (socket: Socket<M>): void | Promise<void>
  /** What is asked beyond the right of the endpoint: whoever does not fulfil it any longer is sent away. */
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
  // The mount parses what it passes with this very endpoint's schemas.
  return { endpoint, handle: (ctx, request) => handle(ctx, request) }
}
