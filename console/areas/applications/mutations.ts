import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/form/use-api-mutation.ts'

export type ApplicationChange = Input<Api['PUT /v1/applications/{id}']>['body']

export const useUpdateApplication = (id: string) =>
  useApiMutation(['applications'], (body: ApplicationChange) =>
    callApi('PUT /v1/applications/{id}', { params: { id }, body }),
  )
