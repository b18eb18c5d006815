import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

/**
 * Subscribes to a plan: returns the payment URL, or null if the plan has been changed. Await the result instead of passing callbacks: the calling component may be unmounted by then.
 */
export function useSubscribe(quiet = false) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { plan_id: string; expected_plan_id?: string | null }) =>
      callApi('POST /v1/billing/subscribe', { body }),
    meta: { quiet },
    // A rejected change may have been paid for elsewhere.
    onSettled: () => askAgain(client),
  })
}

export function useCancelPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /v1/billing/cancel-subscription'),
    onSuccess: () => askAgain(client),
  })
}

export function useResumePlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /v1/billing/resume-subscription'),
    onSuccess: () => askAgain(client),
  })
}

export const useBillingPortal = () => useMutation({ mutationFn: () => callApi('POST /v1/billing/portal') })

/** The sidebar shows the plan, too. Price previews are not refetched. */
const askAgain = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({
      predicate: ({ queryKey: [area, of] }) => area === 'billing' && of !== 'change',
    }),
    client.invalidateQueries({ queryKey: ['workspaces', 'current'] }),
  ])
