import { z } from 'zod'
import { serviceFailed } from '../../errors.ts'
import type { SafeFetchOptions, FetchReply } from '../../platform/net/safe-fetch.ts'
import { rateLimitedProblem, rateLimitedUntil, parseJsonReply } from '../../call-service.ts'
import type { Challenge } from './challenge.ts'
import type { RegistryLogin } from './docker-hub.ts'
import { credentialsRequired, wrongCredentials } from './registry-errors.ts'

const tokens = z.union([
  z.object({ token: z.string().min(1) }).transform(({ token }) => token),
  z.object({ access_token: z.string().min(1) }).transform(({ access_token }) => access_token),
])

interface TokenRequest {
  /** What the token is for, and how people call that. */
  scope: string
  what: string
  logIn: RegistryLogin | undefined
}

/** Of whom the registry trusts to say who may do what. */
export async function requestRegistryToken(
  call: (who: string, url: URL, headers: NonNullable<SafeFetchOptions['headers']>) => Promise<FetchReply>,
  registry: string,
  { realm, service }: Extract<Challenge, { kind: 'bearer' }>,
  { scope, what, logIn }: TokenRequest,
): Promise<string> {
  const url = new URL(realm)
  if (service) url.searchParams.set('service', service)
  if (scope) url.searchParams.set('scope', scope)
  if (logIn) url.searchParams.set('account', logIn.username)
  const who = `${registry} (by ${url.host})`
  const answer = await call(who, url, { ...(logIn && { authorization: basicAuthorization(logIn) }) })
  const { status } = answer
  if (status === 429) throw rateLimitedProblem(registry, rateLimitedUntil(answer))
  // There are those who call wrong credentials forbidden.
  if (status === 401 || status === 403)
    throw logIn ? wrongCredentials(registry, 401) : credentialsRequired(registry, what)
  if (status !== 200) throw serviceFailed(who, `status ${status}`)
  return parseJsonReply(who, answer, tokens)
}

export const basicAuthorization = ({ username, password }: RegistryLogin) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
