import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'

export type Deployment = Reply<Api['GET /v1/deployments']>['deployments'][number]

const latest = 6
const countedDays = 30

export const latestDeploymentsQuery = queryOptions({
  queryKey: ['deployments', 'latest'],
  queryFn: async ({ signal }) =>
    (await call('GET /v1/deployments', { query: { limit: latest } }, signal)).deployments.slice(0, latest),
})

/** Over the last 30 days. */
export const deploymentCountQuery = queryOptions({
  queryKey: ['deployments', 'count'],
  queryFn: async ({ signal }) => {
    const since = new Date(Date.now() - countedDays * 86_400_000).toISOString()
    return (await call('GET /v1/deployments', { query: { since, limit: 1 } }, signal)).page.total
  },
})
