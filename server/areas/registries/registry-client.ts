import type { Context } from '../../context.ts'
import { serviceFailed, serviceTimedOut } from '../../errors.ts'
import type { FetchReply, SafeFetchOptions } from '../../platform/net/safe-fetch.ts'
import {
  callService,
  parseJsonReply,
  rateLimitedProblem,
  rateLimitedUntil,
  ServiceUnreachable,
} from '../../call-service.ts'
import type { RegistryLogin } from './docker-hub.ts'
import { accessDenied, credentialsRequired, wrongRegistryCredentials } from './registry-errors.ts'
import { z } from 'zod'
import { registryTitle } from './image-reference.ts'

export interface RegistryRef {
  host: string
  logIn?: RegistryLogin | undefined
}

export interface RegistryClient {
  who: string
  get(path: string): Promise<FetchReply>
  wasAsked(): boolean
  /** Sends credentials although the registry did not ask for them. */
  getAs(path: string, logIn: RegistryLogin): Promise<FetchReply>
}

const mostBytes = 1024 ** 2

export function createRegistryClient(
  ctx: Context,
  { host, logIn }: RegistryRef,
  { scope, what }: { scope: string; what: string },
): RegistryClient {
  const who = registryTitle(host)
  // The time limit applies to all calls together, however many there are.
  const end = Date.now() + 2 * ctx.config.OUTSIDE_TIMEOUT * 1000
  let authorization: string | undefined
  let scheme = 'https'
  let wasAsked = false
  let saidWho = false

  function call(whom: string, url: URL, headers: Record<string, string>): Promise<FetchReply> {
    const left = end - Date.now()
    if (left <= 0) throw serviceTimedOut(who)
    return callService(ctx, whom, url, { headers, maxBytes: mostBytes, within: left })
  }

  async function send(path: string, as = authorization): Promise<FetchReply> {
    try {
      return await call(who, new URL(`${scheme}://${host}${path}`), { ...(as && { authorization: as }) })
    } catch (error) {
      // Never fall back to HTTP with credentials: an attacker on the path could provoke this error to get them.
      if (scheme === 'http' || as !== undefined || !speaksPlainly(error)) throw error
      scheme = 'http'
      return send(path)
    }
  }

  async function letIn(challenge: Challenge): Promise<string> {
    if (challenge.kind === 'bearer')
      return `Bearer ${await requestRegistryToken(call, who, challenge, { scope, what, logIn })}`
    if (!logIn) throw credentialsRequired(who, what)
    return basicAuthorization(logIn)
  }

  /** A registry may hide private images from anonymous clients instead of asking for credentials. */
  async function sayWho(path: string): Promise<FetchReply | undefined> {
    if (!logIn || authorization !== undefined || saidWho) return undefined
    saidWho = true
    const own = await send(path, basicAuthorization(logIn))
    if (own.status !== 200) return undefined
    authorization = basicAuthorization(logIn)
    return own
  }

  function checked(answer: FetchReply): FetchReply {
    const { status } = answer
    if (status === 429) throw rateLimitedProblem(who, rateLimitedUntil(answer))
    if (status >= 500 || status < 200 || (status >= 300 && status < 400))
      throw serviceFailed(who, `status ${status}`)
    return answer
  }

  return {
    who,
    async get(path) {
      let answer = await send(path)
      const challenge =
        answer.status === 401 ? readChallenge(answer.headers['www-authenticate'] ?? '') : undefined
      if (challenge) {
        wasAsked = true
        authorization = await letIn(challenge)
        answer = await send(path)
      } else answer = (await sayWho(path)) ?? answer
      const { status } = checked(answer)
      if (status === 401 && logIn && challenge?.kind === 'basic') throw wrongRegistryCredentials(who, status)
      if (status === 401 || status === 403)
        throw logIn ? accessDenied(who, what) : credentialsRequired(who, what)
      return answer
    },
    wasAsked: () => wasAsked,
    getAs: async (path, login) => checked(await send(path, basicAuthorization(login))),
  }
}

/** Tells whether the registry does not support TLS; registries in private networks may use plain HTTP. */
const speaksPlainly = (error: unknown) =>
  error instanceof ServiceUnreachable &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].includes(
    String(error.cause.code),
  )

const tokens = z.union([
  z.object({ token: z.string().min(1) }).transform(({ token }) => token),
  z.object({ access_token: z.string().min(1) }).transform(({ access_token }) => access_token),
])

async function requestRegistryToken(
  call: (who: string, url: URL, headers: NonNullable<SafeFetchOptions['headers']>) => Promise<FetchReply>,
  registry: string,
  { realm, service }: Extract<Challenge, { kind: 'bearer' }>,
  { scope, what, logIn }: { scope: string; what: string; logIn: RegistryLogin | undefined },
): Promise<string> {
  const url = new URL(realm)
  if (service) url.searchParams.set('service', service)
  if (scope) url.searchParams.set('scope', scope)
  if (logIn) url.searchParams.set('account', logIn.username)
  const who = `${registry} (via ${url.host})`
  const answer = await call(who, url, { ...(logIn && { authorization: basicAuthorization(logIn) }) })
  const { status } = answer
  if (status === 429) throw rateLimitedProblem(registry, rateLimitedUntil(answer))
  // Some registries answer wrong credentials with 403.
  if (status === 401 || status === 403)
    throw logIn ? wrongRegistryCredentials(registry, 401) : credentialsRequired(registry, what)
  if (status !== 200) throw serviceFailed(who, `status ${status}`)
  return parseJsonReply(who, answer, tokens)
}

const basicAuthorization = ({ username, password }: RegistryLogin) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

type Challenge = { kind: 'basic' } | { kind: 'bearer'; realm: string; service: string }

function readChallenge(header: string): Challenge | undefined {
  const bearer = /(?:^|,\s*)bearer\s+((?:[a-z_]+\s*=\s*(?:"[^"]*"|[^\s,"]+)\s*,?\s*)+)/i.exec(header)?.[1]
  if (bearer) {
    const { realm = '', service = '' } = Object.fromEntries(
      [...bearer.matchAll(/([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi)].map(
        ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ''],
      ),
    )
    return URL.canParse(realm) ? { kind: 'bearer', realm, service } : undefined
  }
  return /(?:^|,\s*)basic\b/i.test(header) ? { kind: 'basic' } : undefined
}
