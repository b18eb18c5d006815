import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useParam } from '../../../lib/use-param.ts'
import { outputOrigins } from '../../../../contract/shared/output-origins.ts'
import type { FilterCriteria } from './line-filter.ts'

export function useLogFilter() {
  const [, setParams] = useSearchParams()
  const state: unknown = useLocation().state
  const [q, setQ] = useParam('q')
  const [regex, setRegex] = useParam('regex')
  const [only, setOnly] = useParam('only')
  const [levels, setLevels] = useParam('levels')
  const [from, setOrigin] = useParam('output')
  const origin = outputOrigins.find((known) => known === from)
  const criteria = useMemo<FilterCriteria>(
    () => ({
      query: q === '' ? undefined : { text: q, regex: regex !== '' },
      levels: levels === '' ? undefined : new Set(levels.split(',')),
      origin,
    }),
    [q, regex, levels, origin],
  )
  return {
    criteria,
    // Without a search there are no matches to filter by.
    only: only !== '' && q !== '',
    q,
    setQ,
    setRegex: (on: boolean) => setRegex(on ? 'yes' : ''),
    setOnly: (on: boolean) => setOnly(on ? 'yes' : ''),
    leave: () =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const name of ['q', 'only']) after.delete(name)
          return after
        },
        { replace: true, state },
      ),
    setOrigin,
    setLevels: (chosen: readonly string[]) => setLevels(chosen.join(',')),
  }
}

export type LogFilter = ReturnType<typeof useLogFilter>
