import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type Plan = Reply<Api['GET /v1/billing/plans']>['plans'][number]
export type Billing = Reply<Api['GET /v1/billing/subscription']>
export type Subscription = NonNullable<Billing['subscription']>
export type PlanChange = Reply<Api['GET /v1/billing/change']>['change']
export type ConfirmedSubscription = Reply<Api['POST /v1/billing/confirm']>

export const plansQuery = queryOptions({
  queryKey: ['billing', 'plans'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/billing/plans', undefined, signal)).plans,
  meta: { quiet: true },
})

export const billingQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: ({ signal }) => callApi('GET /v1/billing/subscription', undefined, signal),
  meta: { quiet: true },
})

/** Previews a plan change. Proration depends on the time, so the result is not cached. */
export const planChangeQuery = (planId: string) =>
  queryOptions({
    queryKey: ['billing', 'change', planId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/billing/change', { query: { plan_id: planId } }, signal)).change,
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

/** Checkout result. The request makes the server fetch it from Stripe. */
export const confirmSubscriptionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['billing', 'confirm', sessionId],
    queryFn: async ({ client }) => {
      const confirmed = await callApi('POST /v1/billing/confirm', { body: { session_id: sessionId } })
      // Refresh the workspace first, so that its pages are accessible when the result is shown.
      await client.invalidateQueries({ queryKey: ['workspaces'] })
      return confirmed
    },
    staleTime: 'static',
    refetchInterval: ({ state }) => (state.data?.state === 'processing' ? 3000 : false),
    meta: { quiet: true },
  })
