import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { firstPage, nextPage, pageAt } from '../../lib/http/paging.ts'
import { isUnderWay } from './deployment-words.ts'

export type Deployment = Reply<Api['GET /v1/deployments']>['deployments'][number]

const latest = 6

export const latestDeploymentsQuery = queryOptions({
  queryKey: ['deployments', 'latest'],
  queryFn: async ({ signal }) =>
    (await call('GET /v1/deployments', { query: { limit: latest } }, signal)).deployments.slice(0, latest),
})

/** While one is under way it is looked at from time to time, should its end not be told. */
const lookEvery = 5_000

/** Those of an application, newest first, page by page. */
export const deploymentsQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'list', applicationId],
    queryFn: ({ pageParam, signal }) => {
      const query = { application_id: applicationId, ...pageAt(pageParam) }
      return call('GET /v1/deployments', { query }, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.deployments),
    refetchInterval: ({ state }) =>
      (state.data?.pages.flatMap((page) => page.deployments) ?? []).some(isUnderWay) && lookEvery,
    meta: { quiet: true },
  })

/** One with its steps; its lines are followed by themselves. */
export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployments', 'one', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/deployments/{id}', { params: { id }, query: { logs: 'false' } }, signal))
        .deployment,
    refetchInterval: ({ state }) => state.data !== undefined && isUnderWay(state.data) && lookEvery,
    meta: { quiet: true },
  })

export type Release = Reply<Api['GET /v1/applications/{id}/releases']>['releases'][number]

/** The releases of an application, newest first, page by page. They change with its deployments. */
export const releasesQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'releases', applicationId],
    queryFn: ({ pageParam, signal }) => {
      const given = { params: { id: applicationId }, query: pageAt(pageParam) }
      return call('GET /v1/applications/{id}/releases', given, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.releases),
    meta: { quiet: true },
  })

export type Change = Reply<Api['GET /v1/applications/{id}/changes']>['changes'][number]

export interface Compared {
  /** What is compared with; otherwise what runs. */
  from?: string | undefined
  /** What is compared; otherwise what is configured. */
  to?: string | undefined
}

/** How what is configured now, or a release, differs from what runs, or from another release. */
export const changesQuery = (applicationId: string, { from, to }: Compared) =>
  queryOptions({
    // The first word is that of what is configured, with which it changes.
    queryKey: ['applications', 'changes', applicationId, from, to],
    queryFn: async ({ signal }) => {
      const query = { release_id: from, to_release_id: to }
      const given = { params: { id: applicationId }, query }
      return (await call('GET /v1/applications/{id}/changes', given, signal)).changes
    },
    meta: { quiet: true },
  })
