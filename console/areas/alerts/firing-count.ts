import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

/** Shown on every page, so failures are silent. */
export const firingCountQuery = queryOptions({
  queryKey: ['incidents', 'count'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/incidents', { query: { state: 'firing', limit: 1 } }, signal)).page.total,
  meta: { quiet: true },
})
