import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { callApi } from '../../lib/http/call-api.ts'

type ComposeCheck = Reply<Api['POST /v1/compose/check']>
export type ComposeProblem = ComposeCheck['problems'][number]
export type ComposeService = ComposeCheck['services'][number]

export interface ComposeCheckInput {
  compose: string
  env: readonly Pair[]
  profiles: readonly string[]
}

/** The key contains the whole input, so outdated results are dropped. */
export const composeCheckQuery = ({ compose, env, profiles }: ComposeCheckInput) =>
  queryOptions({
    queryKey: ['compose-check', compose, env, profiles],
    queryFn: ({ signal }) =>
      callApi(
        'POST /v1/compose/check',
        { body: { compose, env: [...env], profiles: [...profiles] } },
        signal,
      ),
    enabled: compose.trim() !== '',
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  })
