import { randomBytes } from 'node:crypto'
import type { Api } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import { forbidden, missing, refuse } from './digital-ocean/answers.ts'
import { dropletRoutes } from './digital-ocean/droplets.ts'
import { keyRoutes } from './digital-ocean/keys.ts'
import { listRoutes } from './digital-ocean/lists.ts'

function api(): Api {
  let last = 512_189_000
  return {
    routes: [...listRoutes, ...keyRoutes, ...dropletRoutes],
    nextId: () => String(++last),
    newToken: () => `dop_v1_${randomBytes(32).toString('hex')}`,
    refusals: {
      unauthorized: () => refuse(401, 'Unauthorized', 'Unable to authenticate you'),
      readOnly: forbidden,
      missing,
      badJson: () => refuse(400, 'bad_request', 'error parsing request body'),
      tooMany: () => refuse(429, 'too_many_requests', 'API Rate limit exceeded.'),
      broken: () => refuse(500, 'server_error', 'Unexpected server-side error'),
      down: () => refuse(503, 'service_unavailable', 'Service is temporarily unavailable.'),
    },
    rateHeaders: ({ limit, remaining, reset }) => ({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(reset),
    }),
  }
}

/** The API of DigitalOcean, version 2, as strict as the real one; from docs.digitalocean.com/reference/api. */
export async function startFakeDigitalOcean(options?: CloudOptions) {
  const cloud = await startCloud(api(), options)
  return { ...cloud, env: { DIGITALOCEAN_API_URL: cloud.url } }
}
