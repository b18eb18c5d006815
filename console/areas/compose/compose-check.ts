import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readVariables } from '../../../contract/shared/dotenv.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { notify } from '../../lib/notify.ts'
import { firstErrorMessage } from './problem-messages.ts'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

interface Check {
  problems: readonly ComposeProblem[]
  services: readonly ComposeService[]
  failure: string | undefined
}

const nothing: Check = { problems: [], services: [], failure: undefined }

/** Checks the file while the user types, and keeps the previous result until the new one arrives. */
export function useComposeCheck(
  compose: string,
  envText: string,
  profiles: readonly string[],
  serverId: string,
): Check {
  const typed = useMemo(
    () => ({ compose, envText, profiles, serverId }),
    [compose, envText, profiles, serverId],
  )
  const settled = useDebounced(typed, 300)
  const env = useMemo(() => readVariables(settled.envText), [settled])
  const { data, error } = useQuery({
    ...composeCheckQuery({ ...settled, env }),
    placeholderData: (before) => before,
  })
  if (compose.trim() === '') return nothing
  if (error) return { ...nothing, failure: failureOf(error) }
  return { ...nothing, ...data }
}

/** Prefers the error of the compose file, because the environment has a field for its own errors. */
const failureOf = (error: Error) =>
  error instanceof ApiError
    ? (error.fields['compose'] ?? Object.values(error.fields)[0] ?? error.message)
    : error.message

/** Checks the current text when the form is submitted, without waiting for the debounce. */
export function useComposeValidation() {
  const client = useQueryClient()
  const [reading, setReading] = useState(false)

  async function findFault(compose: string, envText: string, profiles: readonly string[], serverId: string) {
    if (compose.trim() === '') return undefined
    setReading(true)
    try {
      const { problems } = await client.fetchQuery(
        composeCheckQuery({ compose, env: readVariables(envText), profiles, serverId }),
      )
      return firstErrorMessage(problems)
    } catch (error) {
      notify(error)
      return error instanceof Error ? error.message : String(error)
    } finally {
      setReading(false)
    }
  }

  return { reading, findFault }
}

type ComposeCheck = Reply<Api['POST /v1/compose/check']>
export type ComposeProblem = ComposeCheck['problems'][number]
export type ComposeService = ComposeCheck['services'][number]

interface ComposeCheckInput {
  compose: string
  env: readonly Pair[]
  profiles: readonly string[]
  /** The ID is empty while no server is chosen. */
  serverId: string
}

/** The key contains the whole input, so a late response for an earlier input is never shown. */
const composeCheckQuery = ({ compose, env, profiles, serverId }: ComposeCheckInput) =>
  queryOptions({
    queryKey: ['compose-check', compose, env, profiles, serverId],
    queryFn: ({ signal }) =>
      callApi(
        'POST /v1/compose/check',
        {
          body: {
            compose,
            env: [...env],
            profiles: [...profiles],
            ...(serverId !== '' && { server_id: serverId }),
          },
        },
        signal,
      ),
    enabled: compose.trim() !== '',
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  })
