import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
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

/** Deployments in progress are polled, in case a live update is lost. */
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
  })

interface Span {
  key: string
  seconds: number
  /** Unix time in seconds; undefined means now. */
  until?: number | undefined
}

/** Returns at least the deployments that took effect in the span. The API filters by creation, which may be earlier. */
export const deploymentsDuringQuery = (applicationId: string, { key, seconds, until }: Span) =>
  queryOptions({
    queryKey: ['deployments', 'during', applicationId, key],
    queryFn: async ({ signal }) => {
      const since = (until ?? Date.now() / 1000) - seconds - LONGEST_DEPLOYMENT
      const query = {
        application_id: applicationId,
        since: isoTime(since),
        ...(until !== undefined && { until: isoTime(until) }),
        limit: 200,
      }
      return (await callApi('GET /v1/deployments', { query }, signal)).deployments
    },
  })

const LONGEST_DEPLOYMENT = 3_600
const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Fetches a deployment without its log, which is streamed separately. */
export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployments', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/deployments/{id}', { params: { id }, query: { logs: 'false' } }, signal))
        .deployment,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isDeploymentInProgress(state.data) && pollInterval,
  })

export type Release = Reply<Api['GET /v1/applications/{id}/releases']>['releases'][number]

export const releasesQuery = (applicationId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'releases', applicationId],
    queryFn: ({ pageParam, signal }) => {
      const input = { params: { id: applicationId }, query: pageParams(pageParam) }
      return callApi('GET /v1/applications/{id}/releases', input, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.releases),
  })

export type ReleaseChange = Reply<Api['GET /v1/applications/{id}/changes']>['changes'][number]

export interface Comparison {
  from?: string | undefined
  to?: string | undefined
}

export const releaseChangesQuery = (applicationId: string, { from, to }: Comparison) =>
  queryOptions({
    // The key starts like those of applications, so that a changed configuration invalidates the comparison.
    queryKey: ['applications', 'changes', applicationId, from, to],
    queryFn: async ({ signal }) => {
      const query = { release_id: from, to_release_id: to }
      const input = { params: { id: applicationId }, query }
      return (await callApi('GET /v1/applications/{id}/changes', input, signal)).changes
    },
  })

/** Events do not refetch the preview, because the user confirms what they have read. */
export const resetPreviewQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['reset-preview', applicationId],
    queryFn: ({ signal }) =>
      callApi('GET /v1/applications/{id}/configuration/reset', { params: { id: applicationId } }, signal),
    retry: false,
    staleTime: 0,
  })

export const useResetConfiguration = (applicationId: string) =>
  useApiMutation(['applications'], (revision: string) =>
    callApi('POST /v1/applications/{id}/configuration/reset', {
      params: { id: applicationId },
      body: { revision },
    }),
  )

const operations = {
  restart: (id: string) => callApi('POST /v1/applications/{id}/restart', { params: { id } }),
  stop: (id: string) => callApi('POST /v1/applications/{id}/stop', { params: { id } }),
  start: (id: string) => callApi('POST /v1/applications/{id}/start', { params: { id } }),
} as const
type Operation = keyof typeof operations

export function useApplicationOperation(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (operation: Operation) => (await operations[operation](applicationId)).deployment,
    onSuccess: show,
  })
}

interface DeployOptions {
  /** Revision of the reviewed plan. The server rejects the deployment if the configuration has changed since. */
  revision: string | undefined
  /** Builds the repository even if the same commit was built before. */
  rebuild: boolean
}

const requestDeployment = async (id: string, body: DeployOptions) =>
  (await callApi('POST /v1/applications/{id}/deploy', { params: { id }, body })).deployment

export function useDeployWithPlan(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: (options: DeployOptions) => requestDeployment(applicationId, options),
    onSuccess: show,
  })
}

type ReadPlan = () => Promise<{ host_access: readonly string[]; revision: string | null }>

/** Deploys without a review. Deploys nothing and returns undefined if the user must first approve host access. */
export function useDeployWithoutReview(applicationId: string, readPlan: ReadPlan) {
  const show = useShow()
  return useMutation({
    mutationFn: async ({ rebuild }: Pick<DeployOptions, 'rebuild'>) => {
      const { host_access: hostAccess, revision } = await readPlan()
      if (hostAccess.length > 0) return undefined
      return requestDeployment(applicationId, { revision: revision ?? undefined, rebuild })
    },
    onSuccess: (deployment) => deployment && show(deployment),
  })
}

export function useRollBack(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (releaseId: string) => {
      const input = { params: { id: applicationId }, body: { release_id: releaseId } }
      return (await callApi('POST /v1/applications/{id}/rollback', input)).deployment
    },
    onSuccess: show,
  })
}

export function useCancelDeployment(id: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async () =>
      (await callApi('POST /v1/deployments/{id}/cancel', { params: { id } })).deployment,
    onSuccess: show,
  })
}

function useShow() {
  const client = useQueryClient()
  return (deployment: Deployment) => {
    client.setQueryData(deploymentQuery(deployment.id).queryKey, deployment)
    for (const key of ['deployments', 'applications']) void client.invalidateQueries({ queryKey: [key] })
  }
}
