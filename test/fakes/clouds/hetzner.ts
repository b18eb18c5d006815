import { randomBytes } from 'node:crypto'
import type { Api } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import { actionsOf } from './hetzner/actions.ts'
import { catalogueRoutes } from './hetzner/catalogue-calls.ts'
import { hetznerError } from './hetzner/errors.ts'
import { keyRoutes } from './hetzner/key-calls.ts'
import { serverRoutes } from './hetzner/server-calls.ts'

/** Hetzner Cloud's API as its documentation has it in November 2026: there are no datacenters any more. */
export async function startFakeHetzner(options?: CloudOptions) {
  const cloud = await startCloud(makeApi(), options)
  return { ...cloud, env: { HCLOUD_API_URL: cloud.url } }
}

function makeApi(): Api {
  const actions = actionsOf()
  let lastId = 104_000_000
  return {
    routes: [...catalogueRoutes, ...keyRoutes, ...serverRoutes(actions), ...actions.routes],
    nextId: () => String(++lastId),
    newToken: () => randomBytes(48).toString('base64url').replaceAll(/[-_]/g, 'x'),
    refusals: {
      unauthorized: () => hetznerError('unauthorized', 'unable to authenticate'),
      readOnly: () => hetznerError('token_readonly', 'token is only allowed to perform GET requests'),
      missing: () => hetznerError('not_found', 'page not found'),
      badJson: () => hetznerError('json_error', 'invalid JSON input'),
      tooMany: () => hetznerError('rate_limit_exceeded', 'limit of 3600 requests per hour reached'),
      broken: () => hetznerError('server_error', 'internal server error'),
      down: () => hetznerError('unavailable', 'the API is currently not available'),
    },
    rateHeaders: ({ limit, remaining, reset }) => ({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(reset),
    }),
  }
}
