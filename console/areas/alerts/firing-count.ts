import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

/** Shown on every page, so failures are silent. */
export const firingCountQuery = queryOptions({
  queryKey: ['incidents', 'count'],
  queryFn: async ({ signal }) =>
    (await call('GET /v1/incidents', { query: { state: 'firing', limit: 1 } }, signal)).page.total,
  meta: { quiet: true },
})
