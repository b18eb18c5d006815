import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'

/** Names only, so that the palette can match them as fast as the user types. */
export const resourcesQuery = queryOptions({
  queryKey: ['resources'],
  queryFn: ({ signal }) => callApi('GET /v1/resources', undefined, signal),
})
