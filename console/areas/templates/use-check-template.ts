import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { checkTemplateQuery, type TemplateFiles } from './queries.ts'

const none = { template: [], compose: [] } as const

/** Validates both files while typing. Keeps the previous result until the next one arrives. */
export function useCheckTemplate({ template, compose }: TemplateFiles) {
  const typed = useMemo(() => ({ template, compose }), [template, compose])
  const settled = useDebounced(typed, 300)
  const { data, error } = useQuery({
    ...checkTemplateQuery(settled),
    placeholderData: (before) => before,
  })
  const told = error instanceof ApiError ? error.fields : {}
  const other = error && Object.keys(told).length === 0 ? error.message : undefined
  return {
    problems: data?.problems ?? none,
    /** The parsed template; undefined if invalid. */
    template: data?.template ?? undefined,
    failures: { template: told['template'] ?? other, compose: told['compose'] ?? other },
  }
}
