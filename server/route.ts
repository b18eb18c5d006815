import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Id } from '../contract/ids.ts'
import type { Permission, Role } from '../contract/permissions.ts'
import type { Context } from './context.ts'

/** Somebody we know nothing of but where the call came from. */
export interface Visitor {
  address: string
  agent: string
  cookie(name: string): string | undefined
}

/** Somebody signed in, perhaps in no workspace. */
export interface Person extends Visitor {
  user: { id: Id<'user'>; name: string; email: string }
  via: { kind: 'session'; id: Id<'session'> } | { kind: 'api_token'; id: Id<'apiToken'> }
  tokenHash: string
  workspace: { id: Id<'workspace'>; role: Role } | undefined
}

/** Somebody at work in a workspace, with the right that the endpoint asks for. */
export interface Actor extends Person {
  workspace: { id: Id<'workspace'>; role: Role }
}

type Caller<E extends Endpoint> = E['access'] extends 'public'
  ? Visitor
  : E['access'] extends Permission
    ? Actor
    : Person

type Given<E, P extends string> = E extends { [K in P]: infer S extends z.ZodType } ? z.output<S> : undefined

export interface Request<E extends Endpoint> {
  caller: Caller<E>
  params: Given<E, 'params'>
  query: Given<E, 'query'>
  body: Given<E, 'body'>
  /** Aborted when the caller went away. */
  signal: AbortSignal
  /** Where a stream was broken off. */
  lastEventId: string | undefined
}

export interface LiveEvent<D> {
  id: string
  data: D
}

/** A reply that is more than its body. */
export class Answer<B> {
  readonly body: B
  readonly headers: Record<string, string>

  constructor(body: B, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** What is answered where there is nothing else to say. */
export const done = { success: true } as const

type Body<E extends Endpoint> = z.input<E['reply']>
type Replies<E extends Endpoint> = E extends { kind: 'events' }
  ? AsyncIterable<LiveEvent<Body<E>>>
  : E extends { kind: 'file' }
    ? Promise<Answer<AsyncIterable<string>>>
    : Promise<Body<E> | Answer<Body<E>>>

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
