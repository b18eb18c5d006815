import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { useChange } from '../../lib/form/use-change.ts'

/** The file may contain secrets, so it is not cached when unused. */
export const composeQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'compose', applicationId],
    queryFn: ({ signal }) =>
      call('GET /v1/applications/{id}/compose', { params: { id: applicationId } }, signal),
    gcTime: 0,
    meta: { quiet: true },
  })

interface NewFile {
  type: string
  compose: string
  profiles: string[]
}

export const useSaveCompose = (id: string) =>
  useChange(['applications'], (source: NewFile) =>
    call('PUT /v1/applications/{id}', { params: { id }, body: { source } }),
  )
