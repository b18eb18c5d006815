import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { changes, pagedList, pageQuery, success } from './shared/replies.ts'
import { apiKey } from './providers.ts'

export const cloudToken = z.object({
  id: id('cloudToken'),
  name: z.string(),
  provider: z.string().describe('ID of the provider, such as hetzner; see /v1/providers.'),
  account: z.string().nullable().describe('Account name, if the provider reports it.'),
  error: z
    .string()
    .nullable()
    .describe('Why the provider rejected the token at the last check, or which permissions it lacks.'),
  checked_at: time.nullable().describe('Time of the last check.'),
  servers: z.int().describe('Number of servers of the workspace that use the token.'),
  created_at: time,
})

const params = z.object({ id: idInput('cloudToken') })
const reply = z.object({ cloud_token: cloudToken })
const token = apiKey.describe('API token of the account. Write-only.')

export const listCloudTokens = endpoint('GET /v1/cloud-tokens', {
  access: 'cloud-tokens.manage',
  summary: 'List the cloud tokens of the workspace',
  description: 'Secrets are never returned.',
  query: z.strictObject({ ...pageQuery, q: text(100).optional(), provider: text(50).optional() }),
  reply: pagedList('cloud_tokens', cloudToken),
})

export const createCloudToken = endpoint('POST /v1/cloud-tokens', {
  access: 'cloud-tokens.manage',
  summary: 'Add a cloud token',
  description:
    'The token is checked first: the provider must accept it and it must have all required permissions.',
  body: z.strictObject({ name: name(), provider: text(50, 1), token }),
  reply,
  status: 201,
  idempotent: true,
  limit: 30,
})

export const getCloudToken = endpoint('GET /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'Get a cloud token',
  description: 'The secret is never returned.',
  params,
  reply,
})

export const updateCloudToken = endpoint('PUT /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'Rename or replace a cloud token',
  description: 'A replacement must belong to the same account and is checked first.',
  params,
  body: changes({ name: name(), token }),
  reply,
  limit: 30,
})

export const checkCloudToken = endpoint('POST /v1/cloud-tokens/{id}/check', {
  access: 'cloud-tokens.manage',
  open: true,
  summary: 'Check a cloud token',
  description: 'Checks whether the provider accepts the token and whether it has the required permissions.',
  params,
  reply,
  limit: 30,
})

export const deleteCloudToken = endpoint('DELETE /v1/cloud-tokens/{id}', {
  access: 'cloud-tokens.manage',
  summary: 'Delete a cloud token',
  description: 'Servers of the account remain, but Slipway can no longer read their status or destroy them.',
  params,
  reply: success,
})
