import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readPairs } from '../../../contract/shared/entries.ts'
import { notify } from '../../lib/notify.ts'
import { composeCheckQuery } from './check-query.ts'
import { firstErrorMessage } from './problem-messages.ts'

/** Checks the current text on submit, without waiting for the debounce. */
export function useComposeValidation() {
  const client = useQueryClient()
  const [reading, setReading] = useState(false)

  /** Returns undefined when the file can be used. */
  async function findFault(compose: string, envText: string, profiles: readonly string[]) {
    if (compose.trim() === '') return undefined
    setReading(true)
    try {
      const { problems } = await client.fetchQuery(
        composeCheckQuery({ compose, env: readPairs(envText), profiles }),
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
