import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

/** Number of firing alerts in the sidebar. Every page requests it, so a failed request shows no toast. */
export const firingCountQuery = queryOptions({
  queryKey: ['incidents', 'count'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/incidents', { query: { state: 'firing', limit: 1 } }, signal)).page.total,
  meta: { quiet: true },
})
