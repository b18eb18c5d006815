import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { commit, refName, repositoryName, buildFields } from './shared/repository-fields.ts'

export const integrationStatuses = ['active', 'suspended', 'removed'] as const

export const integration = z.object({
  id: id('integration'),
  provider: z.string(),
  name: z.string().meta({ description: 'The account at the provider.' }),
  avatar: z.string().nullable(),
  account_type: z.string().meta({ description: '`User` or `Organization`.' }),
  status: z
    .enum(integrationStatuses)
    .meta({ description: '`suspended` and `removed`: somebody did that at the provider.' }),
  repositories: z.enum(['all', 'selected']).meta({ description: 'Which of the account it may see.' }),
  manage_url: z.string().meta({ description: 'Where the provider lets one change that.' }),
  applications: z.number().int().meta({ description: 'How many are made from its repositories.' }),
  created_at: time,
})

const provider = text(64, 1).trim()
const params = z.object({ id: givenId('integration') })

export const listIntegrations = endpoint('GET /v1/integrations', {
  access: 'integrations.read',
  summary: 'The accounts at code hosts that the workspace builds from',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('integrations', integration),
})

export const redirectToProvider = endpoint('GET /v1/integrations/{provider}/redirect', {
  access: 'integrations.manage',
  session: true,
  summary: 'Where to send the browser to connect an account; it comes back to the console',
  params: z.object({ provider }),
  query: z.strictObject({
    installed: z
      .stringbool()
      .default(false)
      .meta({ description: 'The App is installed there already: the person only proves who they are.' }),
  }),
  reply: z.object({ url: z.string() }),
})

export const createIntegration = endpoint('POST /v1/integrations/{provider}/create', {
  access: 'integrations.manage',
  session: true,
  summary: 'Connect the account that somebody comes back from, once it is proved to be theirs',
  params: z.object({ provider }),
  body: z.strictObject({
    provider: provider.optional().meta({ description: 'The same as in the path.' }),
    installation_id: z
      .union([text(20, 1).trim().regex(/^\d+$/, { error: 'Must be a number.' }), z.int().positive()])
      .transform(Number)
      .optional()
      .meta({ description: 'Without it, all installations of the App that are theirs.' }),
    code: text(200)
      .optional()
      .meta({ description: 'What GitHub gave the browser with it: it proves who came back.' }),
    state: text(2_000).optional().meta({ description: 'As the redirect gave it.' }),
  }),
  reply: success.extend({ integrations: z.array(integration) }),
})

export const deleteIntegration = endpoint('DELETE /v1/integrations/{id}', {
  access: 'integrations.manage',
  summary:
    'Disconnect an account. What runs goes on; what is made from its repositories cannot be built until it is connected again',
  params,
  reply: success,
})

export const repository = z.object({
  name: z.string().meta({ description: '`owner/name`.' }),
  default_branch: z.string(),
  private: z.boolean(),
  description: z.string().nullable(),
  pushed_at: time.nullable(),
  url: z.string(),
})

export const listRepositories = endpoint('GET /v1/integrations/{id}/repositories', {
  access: 'applications.manage',
  summary: 'The repositories that the account lets Slipway see, the latest pushed to first',
  params,
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('repositories', repository),
  limit: 120,
})

export const listRepositoryBranches = endpoint('GET /v1/integrations/{id}/branches', {
  access: 'applications.manage',
  summary: 'The branches of one of its repositories, the default one first',
  params,
  query: z.strictObject({ repository: repositoryName }),
  reply: z.object({ branches: z.array(z.string()) }),
  limit: 120,
})

export const languages = ['node', 'python', 'go', 'static'] as const

export const inspectRepository = endpoint('GET /v1/integrations/{id}/inspection', {
  access: 'applications.manage',
  summary: 'What a branch of a repository holds, and how an image would be made of it; nothing is made',
  params,
  query: z.strictObject({
    repository: repositoryName,
    branch: refName,
    folder: buildFields.folder,
  }),
  reply: z.object({
    inspection: z.object({
      commit,
      dockerfiles: z.array(z.string()).meta({ description: 'Paths in the folder.' }),
      language: z.enum(languages).nullable().meta({ description: 'What it seems to be written in.' }),
      says: z.string().meta({ description: 'What was found out, and by what, as a sentence.' }),
      generated: z
        .string()
        .nullable()
        .meta({ description: 'The Dockerfile that would be used where the repository has none.' }),
      port: z.number().int().nullable().meta({ description: 'Where what is generated listens.' }),
      submodules: z.boolean(),
      lfs: z.boolean(),
    }),
  }),
  limit: 120,
})

export const githubApp = z.object({
  ready: z.boolean().meta({ description: 'Whether accounts can be connected.' }),
  from: z.enum(['environment', 'manifest']).nullable(),
  name: z.string().nullable(),
  url: z.string().nullable().meta({ description: 'Its page at GitHub.' }),
  may_set_up: z.boolean().meta({ description: 'Whether who asks may do that.' }),
  problem: z.string().nullable().meta({ description: 'Why it does not work, where it does not.' }),
  warning: z.string().nullable().meta({ description: 'What will not work with it, and what helps.' }),
})

export const getGitHubApp = endpoint('GET /v1/integrations/github/app', {
  access: 'integrations.read',
  summary: 'The GitHub App by which this Slipway talks to GitHub',
  reply: z.object({ app: githubApp }),
})

export const beginGitHubApp = endpoint('POST /v1/integrations/github/app', {
  access: 'instance',
  summary: 'What the browser sends to GitHub as a form to create the App with one click',
  body: z.strictObject({
    organization: text(100)
      .trim()
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]*)?$/, { error: 'Must be the name of an organisation at GitHub.' })
      .default('')
      .meta({ description: 'Whose it is to be; empty for the person’s own.' }),
  }),
  reply: z.object({ url: z.string(), manifest: z.string() }),
})

export const finishGitHubApp = endpoint('POST /v1/integrations/github/app/finish', {
  access: 'instance',
  summary: 'Take the keys of the App that GitHub has made',
  body: z.strictObject({ code: text(200, 1), state: text(2_000, 1) }),
  reply: success.extend({ app: githubApp }),
})

export const deleteGitHubApp = endpoint('DELETE /v1/integrations/github/app', {
  access: 'instance',
  summary:
    'Forget the keys of the App, so that another can be made. Only where they are not in the environment',
  reply: success,
})
