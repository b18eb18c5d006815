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
  name: z.string().describe('Name of the account at the provider.'),
  avatar: z.string().nullable(),
  account_type: z.string().describe('Type of the account: `User` or `Organization`.'),
  status: z.enum(integrationStatuses).describe('Status of the installation at the provider.'),
  repositories: z
    .enum(['all', 'selected'])
    .describe('Whether all or only selected repositories of the account are accessible.'),
  manage_url: z.string().describe('Settings page of the installation at the provider.'),
  applications: z.int().describe('Number of applications deployed from repositories of the account.'),
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
  summary: 'Get the URL that connects an account',
  description: 'The provider redirects back to the console.',
  params: z.object({ provider }),
  query: z.strictObject({
    installed: z
      .stringbool()
      .default(false)
      .describe('Whether the app is already installed, so that only the identity of the user is verified.'),
  }),
  reply: z.object({ url: z.string() }),
})

export const createIntegration = endpoint('POST /v1/integrations/{provider}/create', {
  access: 'integrations.manage',
  session: true,
  summary: 'Connect an account',
  description: 'GitHub must confirm that the user owns the account.',
  params: z.object({ provider }),
  body: z.strictObject({
    provider: provider.optional().describe('If sent, must match the path.'),
    installation_id: z
      .union([text(20, 1).trim().regex(/^\d+$/, { error: 'Must be a number.' }), z.int().positive()])
      .transform(Number)
      .optional()
      .describe('Defaults to all installations of the app that the user owns.'),
    code: text(200).optional().describe('OAuth code from GitHub that identifies the user.'),
    state: text(2_000).optional().describe('OAuth state from the redirect.'),
  }),
  reply: success.extend({ integrations: z.array(integration) }),
})

export const deleteIntegration = endpoint('DELETE /v1/integrations/{id}', {
  access: 'integrations.manage',
  summary: 'Disconnect an account',
  description:
    'Running applications are not affected, but repositories of the account cannot be built until it is connected again.',
  params,
  reply: success,
})

export const repository = z.object({
  name: z.string().describe('Full name of the repository, such as `octocat/hello`.'),
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
  summary: 'Inspect how a branch of a repository would be built',
  description: 'Nothing is built.',
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
  url: z.string().nullable().describe('URL of the app on GitHub.'),
  can_set_up: z.boolean().describe('Whether the caller can set up the app.'),
  problem: z.string().nullable().describe('Why the app does not work and what to do; null if it works.'),
  warning: z
    .string()
    .nullable()
    .describe('Why the app works only in part and how to fix it; null if it works fully.'),
})

export const getGitHubApp = endpoint('GET /v1/integrations/github/app', {
  access: 'integrations.read',
  summary: 'Get the GitHub App of this instance',
  reply: z.object({ app: githubApp }),
})

export const beginGitHubApp = endpoint('POST /v1/integrations/github/app', {
  access: 'instance',
  summary: 'Get the manifest that creates the GitHub App',
  body: z.strictObject({
    organization: text(100)
      .trim()
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]*)?$/, { error: 'Must be the name of a GitHub organization.' })
      .default('')
      .describe('Organization that owns the app; empty for the personal account.'),
  }),
  reply: z.object({ url: z.string(), manifest: z.string() }),
})

export const finishGitHubApp = endpoint('POST /v1/integrations/github/app/finish', {
  access: 'instance',
  summary: 'Save the credentials of the GitHub App after its creation',
  body: z.strictObject({ code: text(200, 1), state: text(2_000, 1) }),
  reply: success.extend({ app: githubApp }),
})

export const deleteGitHubApp = endpoint('DELETE /v1/integrations/github/app', {
  access: 'instance',
  summary: 'Delete the credentials of the GitHub App',
  description: 'Not possible if they are set with environment variables.',
  reply: success,
})
