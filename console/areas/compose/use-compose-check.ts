import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readPairs } from '../../../contract/shared/entries.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { composeCheckQuery, type ComposeProblem, type ComposeService } from './check-query.ts'

interface Check {
  problems: readonly ComposeProblem[]
  services: readonly ComposeService[]
  /** Reason why the check failed. */
  failure: string | undefined
}

const nothing: Check = { problems: [], services: [], failure: undefined }

/** Keeps the previous result until the new one arrives. */
export function useComposeCheck(compose: string, envText: string, profiles: readonly string[]): Check {
  const typed = useMemo(() => ({ compose, envText, profiles }), [compose, envText, profiles])
  const settled = useDebounced(typed, 300)
  const env = useMemo(() => readPairs(settled.envText), [settled])
  const { data, error } = useQuery({
    ...composeCheckQuery({ ...settled, env }),
    placeholderData: (before) => before,
  })
  if (compose.trim() === '') return nothing
  if (error) return { ...nothing, failure: failureOf(error) }
  return { ...nothing, ...data }
}

/** Errors of the environment are shown at its own field. */
const failureOf = (error: Error) =>
  error instanceof ApiError
    ? (error.fields['compose'] ?? Object.values(error.fields)[0] ?? error.message)
    : error.message
