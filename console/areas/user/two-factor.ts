import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

/** Password and code that sensitive changes require in addition to the session. */
export interface Proof {
  password: string
  code: string
}

export const useStartTwoFactor = () =>
  useMutation({
    mutationFn: (password: string) => callApi('POST /v1/user/two-factor', { body: { password } }),
    gcTime: 0,
  })

export function useConfirmTwoFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => callApi('POST /v1/user/two-factor/confirm', { body: { code } }),
    gcTime: 0,
    onSuccess: () => askAgain(client),
  })
}

export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: (body: Proof) => callApi('POST /v1/user/two-factor/recovery-codes', { body }),
    gcTime: 0,
  })

export function useStopTwoFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Proof) => callApi('POST /v1/user/two-factor/stop', { body }),
    onSuccess: () => askAgain(client),
  })
}

/** Refetches the user and the member list, which shows the two-factor status. */
const askAgain = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ['user'] }),
    client.invalidateQueries({ queryKey: ['workspaces'] }),
  ])
