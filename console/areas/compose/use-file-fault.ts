import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readPairs } from '../../../contract/shared/entries.ts'
import { notify } from '../../lib/notify.ts'
import { checkQuery } from './check-query.ts'
import { refusalOf } from './problem-words.ts'

/** Asks about a file as it is now, for who wants to go on with it, without waiting for a pause in the typing. */
export function useFileFault() {
  const client = useQueryClient()
  const [reading, setReading] = useState(false)

  /** Why one cannot go on with it; undefined where one can. */
  async function findFault(compose: string, envText: string, profiles: readonly string[]) {
    if (compose.trim() === '') return undefined
    setReading(true)
    try {
      const { problems } = await client.fetchQuery(checkQuery({ compose, env: readPairs(envText), profiles }))
      return refusalOf(problems)
    } catch (error) {
      notify(error)
      return error instanceof Error ? error.message : String(error)
    } finally {
      setReading(false)
    }
  }

  return { reading, findFault }
}
