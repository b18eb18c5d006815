import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

export type Integration = Reply<Api['GET /v1/integrations']>['integrations'][number]
export type GitHubApp = Reply<Api['GET /v1/integrations/github/app']>['app']
type ConnectBody = Input<Api['POST /v1/integrations/{provider}/create']>['body']

export const integrationsQuery = infiniteQueryOptions({
  queryKey: ['integrations', 'list'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/integrations', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.integrations),
  meta: { quiet: true },
})

export const githubAppQuery = queryOptions({
  queryKey: ['integrations', 'app'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/integrations/github/app', undefined, signal)).app,
  meta: { quiet: true },
})

/** Redirects to the provider to connect an account. */
export const useConnectIntegration = () =>
  useMutation({
    mutationFn: async (installed: boolean) => {
      const input = { params: { provider: 'github' }, query: { installed: String(installed) } }
      const { url } = await callApi('GET /v1/integrations/{provider}/redirect', input)
      window.location.assign(url)
    },
  })

export function useCreateIntegration() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ConnectBody) =>
      callApi('POST /v1/integrations/{provider}/create', { params: { provider: 'github' }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['integrations'] }),
  })
}

export function useDeleteIntegration() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('DELETE /v1/integrations/{id}', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['integrations'] }),
  })
}

export const useStartGitHubApp = () =>
  useMutation({
    mutationFn: (organization: string) =>
      callApi('POST /v1/integrations/github/app', { body: { organization } }),
    onSuccess: ({ url, manifest }) => postForm(url, { manifest }),
  })

export function useFinishGitHubApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { code: string; state: string }) =>
      callApi('POST /v1/integrations/github/app/finish', { body }),
    onSuccess: () => client.invalidateQueries(),
  })
}

export function useDeleteGitHubApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('DELETE /v1/integrations/github/app'),
    onSuccess: () => client.invalidateQueries(),
  })
}

/** GitHub accepts an App manifest only as a form post from a browser. */
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

/** The server has already retried; let the user retry. */
const asked = { meta: { quiet: true }, retry: false } as const

export const repositoriesQuery = (integrationId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['integrations', 'repositories', integrationId, q],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageParams(pageParam), ...(q === '' ? {} : { q }) }
      return callApi(
        'GET /v1/integrations/{id}/repositories',
        { params: { id: integrationId }, query },
        signal,
      )
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.repositories),
    ...asked,
  })

export const branchesQuery = (integrationId: string, repository: string) =>
  queryOptions({
    queryKey: ['integrations', 'branches', integrationId, repository],
    queryFn: async ({ signal }) => {
      const input = { params: { id: integrationId }, query: { repository } }
      return (await callApi('GET /v1/integrations/{id}/branches', input, signal)).branches
    },
    enabled: integrationId !== '' && repository !== '',
    ...asked,
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
    ...asked,
  })
