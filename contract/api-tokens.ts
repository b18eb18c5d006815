import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, id, name, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { roles, scopes } from './shared/permissions.ts'

export const apiToken = z.object({
  id: id('apiToken'),
  name: z.string(),
  user: z
    .object({ id: id('user'), name: z.string(), email: z.string() })
    .meta({ description: 'The member it acts as.' }),
  role: z.enum(roles).meta({ description: 'Never above the role that its owner has by now.' }),
  scope: z.enum(scopes).meta({ description: '`deploy` includes `read`, `manage` includes both.' }),
  projects: z
    .array(z.object({ id: id('project'), name: z.string() }))
    .nullable()
    .meta({ description: 'The projects that it is limited to; null when it is not.' }),
  applications: z
    .array(z.object({ id: id('application'), name: z.string() }))
    .nullable()
    .meta({ description: 'The applications that it is limited to; null when it is not.' }),
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

export const listWorkspaceApiTokens = endpoint('GET /v1/workspaces/api-tokens', {
  access: 'api-tokens.oversee',
  session: true,
  summary: 'The API tokens of all members of the current workspace',
  query: z.strictObject(pageQuery),
  reply: listOf('api_tokens', apiToken),
})

const chosen = <S extends z.ZodType>(ids: S) =>
  z
    .array(ids)
    .min(1, { error: 'Choose at least one.' })
    .max(100, { error: 'Must be at most 100.' })
    .optional()

export const createApiToken = endpoint('POST /v1/api-tokens', {
  access: 'api-tokens.manage',
  session: true,
  // Without a plan one can still read everything, and export it.
  open: true,
  summary: 'Create an API token; no other reply ever holds it',
  body: z
    .strictObject({
      name: name(),
      expires_at: givenTime.nullable().optional(),
      role: z.enum(roles).optional().meta({ description: 'No higher than your own, which is the default.' }),
      scope: z
        .enum(scopes)
        .default('read')
        .meta({ description: '`deploy` includes `read`, `manage` includes both.' }),
      projects: chosen(givenId('project')).meta({
        description: 'Limits the token to these projects and their applications.',
      }),
      applications: chosen(givenId('application')).meta({
        description: 'Limits the token to these applications.',
      }),
    })
    .refine(({ projects, applications }) => !projects || !applications, {
      error: 'Choose projects or applications, not both.',
      path: ['applications'],
    }),
  reply: z.object({ api_token: apiToken, token: z.string() }),
  status: 201,
  idempotent: true,
})

export const deleteApiToken = endpoint('DELETE /v1/api-tokens/{id}', {
  access: 'api-tokens.manage',
  session: true,
  summary: 'Revoke one of your API tokens, or as an owner any of the workspace; it stops working at once',
  params: z.strictObject({ id: givenId('apiToken') }),
  reply: success,
})
