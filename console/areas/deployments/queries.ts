import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'
import { isDeploymentInProgress } from './deployment-labels.ts'

export type Deployment = Reply<Api['GET /v1/deployments']>['deployments'][number]

const latest = 6

export const latestDeploymentsQuery = queryOptions({
  queryKey: ['deployments', 'latest'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/deployments', { query: { limit: latest } }, signal)).deployments.slice(0, latest),
})

/** Polls while a deployment is in progress, in case a live update is lost. */
const pollInterval = 5_000

export const deploymentsQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'list', applicationId],
    queryFn: ({ pageParam, signal }) => {
      const query = { application_id: applicationId, ...pageParams(pageParam) }
      return callApi('GET /v1/deployments', { query }, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.deployments),
    refetchInterval: ({ state }) =>
      (state.data?.pages.flatMap((page) => page.deployments) ?? []).some(isDeploymentInProgress) &&
      pollInterval,
    meta: { quiet: true },
  })

/** A deployment without its log, which is streamed separately. */
export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployments', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/deployments/{id}', { params: { id }, query: { logs: 'false' } }, signal))
        .deployment,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isDeploymentInProgress(state.data) && pollInterval,
    meta: { quiet: true },
  })

export type Release = Reply<Api['GET /v1/applications/{id}/releases']>['releases'][number]

export const releasesQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'releases', applicationId],
    queryFn: ({ pageParam, signal }) => {
      const given = { params: { id: applicationId }, query: pageParams(pageParam) }
      return callApi('GET /v1/applications/{id}/releases', given, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.releases),
    meta: { quiet: true },
  })

export type ReleaseChange = Reply<Api['GET /v1/applications/{id}/changes']>['changes'][number]

export interface Comparison {
  /** Release to compare with; defaults to the live release. */
  from?: string | undefined
  /** Release to compare; defaults to the current configuration. */
  to?: string | undefined
}

export const releaseChangesQuery = (applicationId: string, { from, to }: Comparison) =>
  queryOptions({
    // Invalidated with the queries of applications, because it depends on the configuration.
    queryKey: ['applications', 'changes', applicationId, from, to],
    queryFn: async ({ signal }) => {
      const query = { release_id: from, to_release_id: to }
      const given = { params: { id: applicationId }, query }
      return (await callApi('GET /v1/applications/{id}/changes', given, signal)).changes
    },
    meta: { quiet: true },
  })
