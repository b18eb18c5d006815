import { randomBytes, randomUUID } from 'node:crypto'
import type { Api } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import { forbidden, refuse } from './vultr/answers.ts'
import { instanceRoutes } from './vultr/instances.ts'
import { keyRoutes } from './vultr/keys.ts'
import { listRoutes } from './vultr/lists.ts'

const api = (): Api => ({
  routes: [...listRoutes, ...keyRoutes, ...instanceRoutes],
  nextId: () => randomUUID(),
  newToken: () => randomBytes(18).toString('hex').toUpperCase(),
  refusals: {
    unauthorized: () => refuse(401, 'Invalid API token.'),
    readOnly: forbidden,
    missing: () => refuse(404, 'Invalid route'),
    badJson: () => refuse(400, 'Invalid JSON.'),
    tooMany: () => refuse(429, 'Rate limit reached - please try your request again later.'),
    broken: () => refuse(500, 'Internal server error.'),
    down: () => refuse(503, 'Service unavailable.'),
  },
  // It says nothing of the calls that are left.
  rateHeaders: () => ({}),
})

/** The API of Vultr, version 2, as strict as the real one; from www.vultr.com/api. */
export async function startFakeVultr(options?: CloudOptions) {
  const cloud = await startCloud(api(), options)
  return { ...cloud, env: { VULTR_API_URL: cloud.url } }
}
