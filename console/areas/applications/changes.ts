import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { useChange } from '../../lib/form/use-change.ts'

export type ApplicationChange = Input<Api['PUT /v1/applications/{id}']>['body']

export const useUpdateApplication = (id: string) =>
  useChange(['applications'], (body: ApplicationChange) =>
    call('PUT /v1/applications/{id}', { params: { id }, body }),
  )
