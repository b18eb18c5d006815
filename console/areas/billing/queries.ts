import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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
})

export const billingQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: ({ signal }) => callApi('GET /v1/billing/subscription', undefined, signal),
})

/** Fetches the price of a plan change. Proration depends on the time, so the result is not cached. */
export const planChangeQuery = (planId: string) =>
  queryOptions({
    queryKey: ['billing', 'change', planId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/billing/change', { query: { plan_id: planId } }, signal)).change,
    staleTime: 0,
    gcTime: 0,
  })

/** Confirms a checkout. The request makes the server fetch the result from Stripe. */
export const confirmSubscriptionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['billing', 'confirm', sessionId],
    queryFn: async ({ client }) => {
      const confirmed = await callApi('POST /v1/billing/confirm', { body: { session_id: sessionId } })
      // Refetch the workspace first, so that its pages are accessible when the result is shown.
      await client.invalidateQueries({ queryKey: ['workspaces'] })
      return confirmed
    },
    staleTime: 'static',
    refetchInterval: ({ state }) => (state.data?.state === 'processing' ? 3000 : false),
  })

/**
 * Subscribes and returns the payment URL, or null if the plan changed without one. Callers must await it, because
 * callbacks do not run after the component is unmounted.
 */
export function useSubscribe(quiet = false) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { plan_id: string; expected_plan_id?: string | null }) =>
      callApi('POST /v1/billing/subscribe', { body }),
    meta: { quiet },
    // A change can be rejected because it was paid for elsewhere, so refetch after a failure, too.
    onSettled: () => refreshBilling(client),
  })
}

export const useCancelPlan = () => useBillingChange(() => callApi('POST /v1/billing/cancel-subscription'))

export const useResumePlan = () => useBillingChange(() => callApi('POST /v1/billing/resume-subscription'))

function useBillingChange(change: () => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => refreshBilling(client) })
}

export const useBillingPortal = () => useMutation({ mutationFn: () => callApi('POST /v1/billing/portal') })

/** Refetches billing data and the workspace, whose plan the sidebar shows. Price previews are not refetched. */
const refreshBilling = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({
      predicate: ({ queryKey: [area, of] }) => area === 'billing' && of !== 'change',
    }),
    client.invalidateQueries({ queryKey: ['workspaces', 'current'] }),
  ])
