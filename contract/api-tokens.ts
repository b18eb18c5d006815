import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, id, name, time } from './ids.ts'
import { listOf, pageQuery, success } from './page.ts'
import { roles } from './permissions.ts'

export const apiToken = z.object({
  id: id('apiToken'),
  name: z.string(),
  role: z.enum(roles),
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  created_at: time,
})

export const listApiTokens = endpoint('GET /v1/api-tokens', {
  access: 'api-tokens.manage',
  session: true,
  summary: 'Your API tokens in the current workspace',
  query: z.strictObject(pageQuery),
  reply: listOf('api_tokens', apiToken),
})

export const createApiToken = endpoint('POST /v1/api-tokens', {
  access: 'api-tokens.manage',
  session: true,
  // Without a plan one can still read everything, and export it.
  open: true,
  summary: 'Make an API token; the answer is the only one that holds it',
  body: z.strictObject({
    name: name(),
    expires_at: givenTime.nullable().optional(),
    role: z.enum(roles).optional().meta({ description: 'No higher than your own, which is the default.' }),
  }),
  reply: z.object({ api_token: apiToken, token: z.string() }),
  status: 201,
  idempotent: true,
})

export const deleteApiToken = endpoint('DELETE /v1/api-tokens/{id}', {
  access: 'api-tokens.manage',
  session: true,
  summary: 'Delete one of your API tokens; it stops working at once',
  params: z.strictObject({ id: givenId('apiToken') }),
  reply: success,
})
