import { z } from 'zod'
import type { Context } from '../../context.ts'
import { serviceFailed } from '../../errors.ts'
import {
  rateLimitedProblem,
  callService,
  rateLimitedUntil,
  getRateLimits,
  parseJsonReply,
} from '../../call-service.ts'
import { HubRefused, wrongRegistryCredentials } from './registry-errors.ts'

export interface RegistryLogin {
  username: string
  password: string
}

interface HubRequest {
  path: string
  query?: Record<string, string>
  token?: string | undefined
  body?: { identifier: string; secret: string }
}

const who = 'Docker Hub'

/** Credentials: login, token or anonymous. */
const rateLimitKey = ({ body, token }: HubRequest) =>
  `${who} ${body ? `log-in ${body.identifier}` : (token ?? '')}`

export async function callHub<S extends z.ZodType>(
  ctx: Context,
  asked: HubRequest,
  schema: S,
): Promise<z.output<S>> {
  const limited = getRateLimits(ctx).get(rateLimitKey(asked))
  if (limited) throw rateLimitedProblem(who, limited)
  const base = ctx.config.DOCKER_HUB_URL
  const url = new URL(`${base}${asked.path}`)
  for (const [name, value] of Object.entries(asked.query ?? {})) url.searchParams.set(name, value)
  const answer = await callService(ctx, who, url, {
    trustedOrigin: url.origin,
    headers: {
      ...(asked.token && { authorization: `Bearer ${asked.token}` }),
      ...(asked.body && { 'content-type': 'application/json' }),
    },
    ...(asked.body && { method: 'POST' as const, body: JSON.stringify(asked.body) }),
  })
  const until = rateLimitedUntil(answer)
  if (until) getRateLimits(ctx).set(rateLimitKey(asked), until)
  if (answer.status === 429) throw rateLimitedProblem(who, until)
  if (answer.status >= 400 && answer.status < 500) throw new HubRefused(answer.status)
  if (answer.status !== 200) throw serviceFailed(who, `status ${answer.status}`)
  return parseJsonReply(who, answer, schema)
}

const granted = z.object({ access_token: z.string() })

/** A token for calls in the name of an account; proof that Docker Hub takes the log-in. */
export async function logInToHub(ctx: Context, { username, password }: RegistryLogin): Promise<string> {
  try {
    const body = { identifier: username, secret: password }
    return (await callHub(ctx, { path: '/v2/auth/token', body }, granted)).access_token
  } catch (error) {
    if (error instanceof HubRefused && [400, 401, 403].includes(error.answered))
      throw wrongRegistryCredentials(who, error.answered)
    throw error
  }
}
