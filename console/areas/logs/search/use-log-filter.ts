import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useParam } from '../../../lib/use-param.ts'
import type { FilterCriteria } from './line-filter.ts'

/** What is looked for in a log, as the address has it. */
export function useLogFilter() {
  const [, setParams] = useSearchParams()
  const state: unknown = useLocation().state
  const [q, setQ] = useParam('q')
  const [regex, setRegex] = useParam('regex')
  const [only, setOnly] = useParam('only')
  const [levels, setLevels] = useParam('levels')
  const wanted = useMemo<FilterCriteria>(
    () => ({
      query: q === '' ? undefined : { text: q, regex: regex !== '' },
      levels: levels === '' ? undefined : new Set(levels.split(',')),
    }),
    [q, regex, levels],
  )
  return {
    wanted,
    // Where nothing is looked for, nothing can be left out for it.
    only: only !== '' && q !== '',
    q,
    setQ,
    setRegex: (on: boolean) => setRegex(on ? 'yes' : ''),
    setOnly: (on: boolean) => setOnly(on ? 'yes' : ''),
    /** Ends the search; the next one begins with all lines again. */
    leave: () =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const name of ['q', 'only']) after.delete(name)
          return after
        },
        { replace: true, state },
      ),
    setLevels: (chosen: readonly string[]) => setLevels(chosen.join(',')),
  }
}

export type LogFilter = ReturnType<typeof useLogFilter>
