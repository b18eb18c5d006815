import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { notify } from '../../lib/notify.ts'
import { removeToken } from '../../lib/http/session.ts'

export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: ({ signal }) => callApi('GET /v1/auth/options', undefined, signal),
  staleTime: Infinity,
  // Login clears the cache while the page is still visible, so keep the previous data.
  placeholderData: keepPreviousData,
})

type AuthOptions = Reply<Api['GET /v1/auth/options']>

/** Returns whether the instance has no account yet. */
export const isFresh = (options: AuthOptions | undefined) =>
  options?.setup === 'open' || options?.setup === 'link'

export type Invite = Reply<Api['POST /v1/auth/invite']>['invite']

/** Fetches an invite once. Joining uses it up, so a second request would fail. */
export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['auth', 'invite', token],
    queryFn: async ({ signal }) =>
      (await callApi('POST /v1/auth/invite', { body: { token } }, signal)).invite,
    enabled: token !== '',
    staleTime: Infinity,
    gcTime: 0,
  })

/** Returns whether the password is correct but a two-factor code is missing. */
export const needsCode = (error: unknown) => error instanceof ApiError && error.code === 'two_factor_required'

const askOrTell = (error: unknown) => {
  if (!needsCode(error)) notify(error)
}

interface Credentials {
  email: string
  password: string
  otp?: string | undefined
}

const logIn = (body: Credentials) => callApi('POST /v1/auth/email/login', { body })

export const useLogIn = () => useMutation({ mutationFn: logIn, meta: { quiet: true }, onError: askOrTell })

/** Logs in after joining. The caller shows errors, so there is no toast. */
export const useLogInQuietly = () => useMutation({ mutationFn: logIn, meta: { quiet: true } })

export const useJoin = () =>
  useMutation({
    mutationFn: (body: Credentials & { token: string }) => callApi('POST /v1/auth/email/join', { body }),
    meta: { quiet: true },
    onError: askOrTell,
  })

/** Exchanges the code that GitHub sent for a one-time code of Slipway. */
export const useFinishLogin = () =>
  useMutation({
    mutationFn: (body: { code: string; state: string }) => callApi('POST /v1/auth/github/finish', { body }),
  })

export const useExchangeCode = () =>
  useMutation({
    mutationFn: (query: { code: string; otp?: string }) => callApi('GET /v1/auth/token', { query }),
    meta: { quiet: true },
    onError: askOrTell,
  })

type NewAccount = Input<Api['POST /v1/auth/email/signup']>['body']

/**
 * Signs up. `onDone` runs before the signup options are refetched, because the first account changes them and so
 * replaces the page.
 */
export function useSignUp(onDone: (account: NewAccount) => unknown) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: NewAccount) => callApi('POST /v1/auth/email/signup', { body }),
    onSuccess: async (_, account) => {
      await onDone(account)
      void cache.invalidateQueries({ queryKey: authOptionsQuery.queryKey })
    },
  })
}

/** Returns whether a password is required, because the link was opened in a different browser than the signup. */
export const needsPassword = (error: unknown) =>
  error instanceof ApiError && error.code === 'password_required'

export const useVerifyEmail = () =>
  useMutation({
    mutationFn: (body: { token: string; password?: string }) =>
      callApi('POST /v1/auth/email/verify', { body }),
    meta: { quiet: true },
    onError: (error) => {
      if (!needsPassword(error)) notify(error)
    },
  })

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string) => callApi('POST /v1/auth/password/forgot', { body: { email } }),
  })

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      callApi('POST /v1/auth/password/reset', { body }),
  })

/** Logs out. The session is removed from this browser even if the server cannot be reached. */
export const useLogOut = () =>
  useMutation({
    mutationFn: () => callApi('POST /v1/auth/logout'),
    meta: { quiet: true },
    onSettled: removeToken,
  })
