import { logError } from '../../lib/log.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { listQuery } from '../../lib/http/list-query.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

export type Integration = Reply<Api['GET /v1/integrations']>['integrations'][number]
export type GitHubApp = Reply<Api['GET /v1/integrations/github/app']>['app']
type ConnectBody = Input<Api['POST /v1/integrations/{provider}/create']>['body']

export const integrationsQuery = listQuery(
  ['integrations', 'list'],
  (page, signal) => callApi('GET /v1/integrations', { query: { ...page, limit: 200 } }, signal),
  ({ integrations }) => integrations,
)

export const githubAppQuery = queryOptions({
  queryKey: ['integrations', 'app'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/integrations/github/app', undefined, signal)).app,
})

export const useConnectIntegration = () =>
  useMutation({
    mutationFn: async (installed: boolean) => {
      const input = { params: { provider: 'github' }, query: { installed: String(installed) } }
      const { url } = await callApi('GET /v1/integrations/{provider}/redirect', input)
      window.location.assign(url)
    },
  })

export const useCreateIntegration = () =>
  useApiMutation(['integrations'], (body: ConnectBody) =>
    callApi('POST /v1/integrations/{provider}/create', { params: { provider: 'github' }, body }),
  )

export const useDeleteIntegration = () =>
  useApiMutation(['integrations'], (id: string) =>
    callApi('DELETE /v1/integrations/{id}', { params: { id } }),
  )

export const useStartGitHubApp = () =>
  useMutation({
    mutationFn: (organization: string) =>
      callApi('POST /v1/integrations/github/app', { body: { organization } }),
    onSuccess: ({ url, manifest }) => postForm(url, { manifest }),
  })

export const useFinishGitHubApp = () =>
  useApiMutation(everything, (body: { code: string; state: string }) =>
    callApi('POST /v1/integrations/github/app/finish', { body }),
  )

export const useDeleteGitHubApp = () =>
  useApiMutation(everything, () => callApi('DELETE /v1/integrations/github/app'))

/** Key of all queries, because login, integrations and applications depend on the GitHub App. */
const everything: readonly string[] = []

/** Posts a form. GitHub accepts an App manifest only this way. */
function postForm(url: string, fields: Record<string, string>) {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

export type Repository = Reply<Api['GET /v1/integrations/{id}/repositories']>['repositories'][number]
export type Inspection = Reply<Api['GET /v1/integrations/{id}/inspection']>['inspection']

/** Options without a toast and without retries: the server has retried, and the page offers “Try again”. */
const quietQuery = { meta: { quiet: true }, retry: false } as const

export const repositoriesQuery = (integrationId: string, q: string) =>
  listQuery(
    ['integrations', 'repositories', integrationId, q],
    (page, signal) => {
      const input = { params: { id: integrationId }, query: { ...page, ...(q !== '' && { q }) } }
      return callApi('GET /v1/integrations/{id}/repositories', input, signal)
    },
    ({ repositories }) => repositories,
    { retry: false },
  )

export const branchesQuery = (integrationId: string, repository: string) =>
  queryOptions({
    queryKey: ['integrations', 'branches', integrationId, repository],
    queryFn: async ({ signal }) => {
      const input = { params: { id: integrationId }, query: { repository } }
      return (await callApi('GET /v1/integrations/{id}/branches', input, signal)).branches
    },
    enabled: integrationId !== '' && repository !== '',
    ...quietQuery,
  })

/**
 * Lists branches, and none if the request fails. The specification demands that a failure is only logged; users can
 * type any branch.
 */
export const applicationBranchesQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'branches', id],
    queryFn: async ({ signal }) => {
      try {
        return (await callApi('GET /v1/github/branches/{id}', { params: { id } }, signal)).branches
      } catch (error) {
        if (!signal.aborted) logError('Could not load branches', error)
        return []
      }
    },
    retry: false,
  })

export const inspectionQuery = (
  integrationId: string,
  place: { repository: string; branch: string; folder: string },
) =>
  queryOptions({
    queryKey: ['integrations', 'inspection', integrationId, place],
    queryFn: async ({ signal }) => {
      const input = { params: { id: integrationId }, query: place }
      return (await callApi('GET /v1/integrations/{id}/inspection', input, signal)).inspection
    },
    enabled: integrationId !== '' && place.repository !== '' && place.branch !== '',
    staleTime: 30_000,
    ...quietQuery,
  })
