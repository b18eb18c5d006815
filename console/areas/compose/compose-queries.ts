import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/form/use-api-mutation.ts'

/** The file may contain secrets, so it is not cached when unused. */
export const composeQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'compose', applicationId],
    queryFn: ({ signal }) =>
      callApi('GET /v1/applications/{id}/compose', { params: { id: applicationId } }, signal),
    gcTime: 0,
    meta: { quiet: true },
  })

interface NewFile {
  type: string
  compose: string
  profiles: string[]
}

export const useSaveCompose = (id: string) =>
  useApiMutation(['applications'], (source: NewFile) =>
    callApi('PUT /v1/applications/{id}', { params: { id }, body: { source } }),
  )
