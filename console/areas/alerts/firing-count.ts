import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

/** How many incidents fire now. It stands at the edge of every page, where no failure is told of. */
export const firingCountQuery = queryOptions({
  queryKey: ['incidents', 'count'],
  queryFn: async ({ signal }) =>
    (await call('GET /v1/incidents', { query: { state: 'firing', limit: 1 } }, signal)).page.total,
  meta: { quiet: true },
})
