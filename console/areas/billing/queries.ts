import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'

export type Plan = Reply<Api['GET /v1/billing/plans']>['plans'][number]
export type Billing = Reply<Api['GET /v1/billing/subscription']>
export type Subscription = NonNullable<Billing['subscription']>
export type Change = Reply<Api['GET /v1/billing/change']>['change']
export type Confirmed = Reply<Api['POST /v1/billing/confirm']>

/** Cheapest first, as they are configured. */
export const plansQuery = queryOptions({
  queryKey: ['billing', 'plans'],
  queryFn: async ({ signal }) => (await call('GET /v1/billing/plans', undefined, signal)).plans,
  meta: { quiet: true },
})

/** What the workspace pays for; for its owners. */
export const billingQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: ({ signal }) => call('GET /v1/billing/subscription', undefined, signal),
  meta: { quiet: true },
})

/** What another plan would cost now. That depends on the second, so that it is asked for each time. */
export const changeQuery = (planId: string) =>
  queryOptions({
    queryKey: ['billing', 'change', planId],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/billing/change', { query: { plan_id: planId } }, signal)).change,
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

/** What became of a payment, once somebody is back from it. Asking is what has it looked at. */
export const confirmQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['billing', 'confirm', sessionId],
    queryFn: async ({ client }) => {
      const confirmed = await call('POST /v1/billing/confirm', { body: { session_id: sessionId } })
      // The way into the workspace is open before anybody is told so.
      await client.invalidateQueries({ queryKey: ['workspaces'] })
      return confirmed
    },
    staleTime: 'static',
    refetchInterval: ({ state }) => (state.data?.state === 'processing' ? 3000 : false),
    meta: { quiet: true },
  })
