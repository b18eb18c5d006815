import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { timeInput, name, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { roles, scopes } from './shared/permissions.ts'

export const apiToken = z.object({
  id: id('apiToken'),
  name: z.string(),
  user: z
    .object({ id: id('user'), name: z.string(), email: z.string() })
    .describe('Member that the token acts as.'),
  role: z.enum(roles).describe('Role of the token. Never higher than the current role of its owner.'),
  scope: z.enum(scopes).describe('Scope of the token. `deploy` includes `read`; `manage` includes both.'),
  projects: z
    .array(reference('project'))
    .nullable()
    .describe('Projects that the token is limited to; null for no limit.'),
  applications: z
    .array(reference('application'))
    .nullable()
    .describe('Applications that the token is limited to; null for no limit.'),
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  created_at: time,
})

export const listApiTokens = endpoint('GET /v1/api-tokens', {
  access: 'api-tokens.manage',
  session: true,
  summary: 'List your API tokens in the current workspace',
  query: z.strictObject(pageQuery),
  reply: pagedList('api_tokens', apiToken),
})

export const listWorkspaceApiTokens = endpoint('GET /v1/workspaces/api-tokens', {
  access: 'api-tokens.oversee',
  session: true,
  summary: 'List the API tokens of all members of the current workspace',
  query: z.strictObject(pageQuery),
  reply: pagedList('api_tokens', apiToken),
})

const chosen = <S extends z.ZodType>(ids: S) =>
  z
    .array(ids)
    .min(1, { error: 'Choose at least one.' })
    .max(100, { error: 'Must have at most 100 entries.' })
    .optional()

export const createApiToken = endpoint('POST /v1/api-tokens', {
  access: 'api-tokens.manage',
  session: true,
  // Reading and exporting data stays possible without a plan.
  open: true,
  summary: 'Create an API token',
  description: 'The token is returned only once.',
  body: z
    .strictObject({
      name: name(),
      expires_at: timeInput.nullable().optional(),
      role: z
        .enum(roles)
        .optional()
        .describe('Role of the token, at most your own. Defaults to your own role.'),
      scope: z
        .enum(scopes)
        .default('read')
        .describe('Scope of the token. `deploy` includes `read`; `manage` includes both.'),
      projects: chosen(idInput('project')).describe(
        'Limits the token to these projects and their applications.',
      ),
      applications: chosen(idInput('application')).describe('Limits the token to these applications.'),
    })
    .refine(({ projects, applications }) => !projects || !applications, {
      error: 'Choose projects or applications, not both.',
      path: ['applications'],
    }),
  reply: z.object({ api_token: apiToken, token: z.string() }),
  status: 201,
  idempotent: true,
})

export const revokeApiToken = endpoint('DELETE /v1/api-tokens/{id}', {
  access: 'api-tokens.manage',
  session: true,
  summary: 'Revoke an API token',
  description:
    'Owners can revoke any token of the workspace, other members only their own. The token stops working immediately.',
  params: z.strictObject({ id: idInput('apiToken') }),
  reply: success,
})
