import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

/**
 * Chooses a plan: the answer leads to where it is paid for, or the plan was changed already. As with all changes here, what
 * asked for it may be gone by then, with the plan that it was about: it is awaited, since callbacks would be gone too.
 */
export function useSubscribe(quiet = false) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { plan_id: string; in_place_of?: string | null }) =>
      call('POST /v1/billing/subscribe', { body }),
    meta: { quiet },
    // What was refused may have been paid for elsewhere.
    onSettled: () => askAgain(client),
  })
}

export function useCancelPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /v1/billing/cancel-subscription'),
    onSuccess: () => askAgain(client),
  })
}

export function useKeepPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /v1/billing/resume-subscription'),
    onSuccess: () => askAgain(client),
  })
}

export const usePortal = () => useMutation({ mutationFn: () => call('POST /v1/billing/portal') })

/** The sidebar says what plan it is, too. What a change would have cost is of no more use. */
const askAgain = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({
      predicate: ({ queryKey: [area, of] }) => area === 'billing' && of !== 'change',
    }),
    client.invalidateQueries({ queryKey: ['workspaces', 'current'] }),
  ])
