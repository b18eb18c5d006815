import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type Home = Reply<Api['GET /v1/home']>['home']

/** Data of Home. Many kinds of events invalidate it (lib/http/live-keys.ts). */
export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/home', undefined, signal)).home,
})

/** Names of all resources, without details, so that the palette can match them as fast as the user types. */
export const resourcesQuery = queryOptions({
  queryKey: ['resources'],
  queryFn: ({ signal }) => callApi('GET /v1/resources', undefined, signal),
})
