import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readPairs } from '../../../contract/shared/entries.ts'
import { Failure } from '../../lib/http/failure.ts'
import { useSettled } from '../../lib/form/use-settled.ts'
import { composeCheckQuery, type ComposeProblem, type ComposeService } from './check-query.ts'

interface Check {
  problems: readonly ComposeProblem[]
  services: readonly ComposeService[]
  /** Why nobody can say. */
  failure: string | undefined
}

const nothing: Check = { problems: [], services: [], failure: undefined }

/** What is wrong in a file as somebody types it. Until the newest answer is there, the one before stays. */
export function useComposeCheck(compose: string, envText: string, profiles: readonly string[]): Check {
  const typed = useMemo(() => ({ compose, envText, profiles }), [compose, envText, profiles])
  const settled = useSettled(typed, 300)
  const env = useMemo(() => readPairs(settled.envText), [settled])
  const { data, error } = useQuery({
    ...composeCheckQuery({ ...settled, env }),
    placeholderData: (before) => before,
  })
  if (compose.trim() === '') return nothing
  if (error) return { ...nothing, failure: failureOf(error) }
  return { ...nothing, ...data }
}

/** What is said of the file itself is what counts; of the environment it is said at its own field too. */
const failureOf = (error: Error) =>
  error instanceof Failure
    ? (error.fields['compose'] ?? Object.values(error.fields)[0] ?? error.message)
    : error.message
