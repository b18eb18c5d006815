import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { apiKey } from './providers.ts'

export const cloudToken = z.object({
  id: id('cloudToken'),
  name: z.string(),
  provider: z.string().meta({ description: 'Such as hetzner; see /v1/providers.' }),
  account: z.string().nullable().meta({ description: 'Whose it is, where the provider says so.' }),
  error: z.string().nullable().meta({
    description: 'Why the provider did not take it, or what it may not do, when it was last asked.',
  }),
  checked_at: time.nullable().meta({ description: 'When the provider was last asked.' }),
  servers: z.number().int().meta({ description: 'How many servers of the workspace are seen through it.' }),
  created_at: time,
})

const params = z.object({ id: givenId('cloudToken') })
const reply = z.object({ cloud_token: cloudToken })
const token = apiKey.meta({ description: 'It is never shown again.' })

export const listCloudTokens = endpoint('GET /v1/cloud-tokens', {
  access: 'cloud-tokens.manage',
  summary: 'The cloud tokens of the workspace; never the tokens themselves',
  query: z.strictObject({ ...pageQuery, q: text(100).optional(), provider: text(50).optional() }),
  reply: listOf('cloud_tokens', cloudToken),
})

export const createCloudToken = endpoint('POST /v1/cloud-tokens', {
  access: 'cloud-tokens.manage',
  summary: 'Keep a token of a cloud account, once the provider has taken it and it has the rights it needs',
  body: z.strictObject({ name: name(), provider: text(50, 1), token }),
  reply,
  status: 201,
  idempotent: true,
  limit: 30,
})

export const getCloudToken = endpoint('GET /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'A cloud token; never the token itself',
  params,
  reply,
})

export const updateCloudToken = endpoint('PUT /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'Rename it, or put another token of the same account in its place, which is checked first',
  params,
  body: z
    .strictObject({ name: name(), token })
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'Name something to change.' }),
  reply,
  limit: 30,
})

export const checkCloudToken = endpoint('POST /v1/cloud-tokens/{id}/check', {
  access: 'cloud-tokens.manage',
  open: true,
  summary: 'Ask the provider whether it still takes the token, and what the token may do',
  params,
  reply,
  limit: 30,
})

export const deleteCloudToken = endpoint('DELETE /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'Forget a token. Servers stay, but are no longer seen or destroyed at the cloud through it',
  params,
  reply: success,
})
