import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { commit, refName, repositoryName, buildFields } from './shared/repository-fields.ts'

export const integrationStatuses = ['active', 'suspended', 'removed'] as const

export const integration = z.object({
  id: id('integration'),
  provider: z.string(),
  name: z.string().describe('The account at the provider.'),
  avatar: z.string().nullable(),
  account_type: z.string().describe('`User` or `Organization`.'),
  status: z.enum(integrationStatuses).describe('`suspended` or `removed` at the provider.'),
  repositories: z.enum(['all', 'selected']).describe('Which repositories of the account are accessible.'),
  manage_url: z.string().describe('Settings page at the provider.'),
  applications: z.int().describe('Number of applications deployed from its repositories.'),
  created_at: time,
})

const provider = text(64, 1).trim()
const params = z.object({ id: idInput('integration') })

export const listIntegrations = endpoint('GET /v1/integrations', {
  access: 'integrations.read',
  summary: 'List the connected code host accounts',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('integrations', integration),
})

export const redirectToProvider = endpoint('GET /v1/integrations/{provider}/redirect', {
  access: 'integrations.manage',
  session: true,
  summary: 'Get the URL that connects an account. The provider redirects back to the console',
  params: z.object({ provider }),
  query: z.strictObject({
    installed: z
      .stringbool()
      .default(false)
      .describe('The App is already installed; only verify the identity of the user.'),
  }),
  reply: z.object({ url: z.string() }),
})

export const createIntegration = endpoint('POST /v1/integrations/{provider}/create', {
  access: 'integrations.manage',
  session: true,
  summary: 'Connect an account after verifying that the user owns it',
  params: z.object({ provider }),
  body: z.strictObject({
    provider: provider.optional().describe('Must match the path.'),
    installation_id: z
      .union([text(20, 1).trim().regex(/^\d+$/, { error: 'Must be a number.' }), z.int().positive()])
      .transform(Number)
      .optional()
      .describe('Defaults to all installations of the App that the user owns.'),
    code: text(200).optional().describe('The OAuth code from GitHub, which identifies the user.'),
    state: text(2_000).optional().describe('The state of the redirect.'),
  }),
  reply: success.extend({ integrations: z.array(integration) }),
})

export const deleteIntegration = endpoint('DELETE /v1/integrations/{id}', {
  access: 'integrations.manage',
  summary:
    'Disconnect an account. Running applications are not affected, but its repositories cannot be built until it is connected again',
  params,
  reply: success,
})

export const repository = z.object({
  name: z.string().describe('`owner/name`.'),
  default_branch: z.string(),
  private: z.boolean(),
  description: z.string().nullable(),
  pushed_at: time.nullable(),
  url: z.string(),
})

export const listRepositories = endpoint('GET /v1/integrations/{id}/repositories', {
  access: 'applications.manage',
  summary: 'List the accessible repositories, most recently pushed first',
  params,
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('repositories', repository),
  limit: 120,
})

export const listRepositoryBranches = endpoint('GET /v1/integrations/{id}/branches', {
  access: 'applications.manage',
  summary: 'List the branches of a repository, default branch first',
  params,
  query: z.strictObject({ repository: repositoryName }),
  reply: z.object({ branches: z.array(z.string()) }),
  limit: 120,
})

export const languages = ['node', 'python', 'go', 'static'] as const

export const inspectRepository = endpoint('GET /v1/integrations/{id}/inspection', {
  access: 'applications.manage',
  summary: 'Inspect a branch of a repository and show how it would be built, without building it',
  params,
  query: z.strictObject({
    repository: repositoryName,
    branch: refName,
    folder: buildFields.folder,
  }),
  reply: z.object({
    inspection: z.object({
      commit,
      dockerfiles: z.array(z.string()).describe('Paths relative to the folder.'),
      language: z.enum(languages).nullable().describe('Detected language.'),
      summary: z.string().describe('Summary of the detected build and the files it is based on.'),
      generated: z
        .string()
        .nullable()
        .describe('The Dockerfile that is generated if the repository has none.'),
      port: z.int().nullable().describe('Port that the generated Dockerfile exposes.'),
      submodules: z.boolean(),
      lfs: z.boolean(),
    }),
  }),
  limit: 120,
})

export const githubApp = z.object({
  ready: z.boolean().describe('Whether accounts can be connected.'),
  from: z.enum(['environment', 'manifest']).nullable(),
  name: z.string().nullable(),
  url: z.string().nullable().describe('Page of the App at GitHub.'),
  can_set_up: z.boolean().describe('Whether the caller can set up the App.'),
  problem: z.string().nullable().describe('The problem that prevents the App from working, or null.'),
  warning: z.string().nullable().describe('What is limited, and how to fix it.'),
})

export const getGitHubApp = endpoint('GET /v1/integrations/github/app', {
  access: 'integrations.read',
  summary: 'Get the GitHub App of this instance',
  reply: z.object({ app: githubApp }),
})

export const beginGitHubApp = endpoint('POST /v1/integrations/github/app', {
  access: 'instance',
  summary: 'Get the manifest form that creates the GitHub App',
  body: z.strictObject({
    organization: text(100)
      .trim()
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]*)?$/, { error: 'Must be the name of a GitHub organization.' })
      .default('')
      .describe('Organization that owns the App; empty for the personal account.'),
  }),
  reply: z.object({ url: z.string(), manifest: z.string() }),
})

export const finishGitHubApp = endpoint('POST /v1/integrations/github/app/finish', {
  access: 'instance',
  summary: 'Store the credentials of the GitHub App after it was created',
  body: z.strictObject({ code: text(200, 1), state: text(2_000, 1) }),
  reply: success.extend({ app: githubApp }),
})

export const deleteGitHubApp = endpoint('DELETE /v1/integrations/github/app', {
  access: 'instance',
  summary: 'Delete the credentials of the GitHub App. Not available if they are set in the environment',
  reply: success,
})
