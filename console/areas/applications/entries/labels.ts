import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { useApiMutation } from '../../../lib/form/use-api-mutation.ts'

export type Label = Reply<Api['GET /v1/applications/{id}/labels']>['labels'][number]

const shown = ['applications']

export const labelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'labels', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/labels', { params: { id } }, signal)).labels,
    meta: { quiet: true },
  })

export const useUpdateLabel = (id: string) =>
  useApiMutation(shown, ({ labelId, ...body }: Pair & { labelId: string }) =>
    callApi('PUT /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId }, body }),
  )

export const useReplaceLabels = (id: string) =>
  useApiMutation(
    shown,
    (labels: readonly Pair[]) =>
      callApi('PUT /v1/applications/{id}/labels', { params: { id }, body: { labels: [...labels] } }),
    true,
  )

export const useRemoveLabel = (id: string) =>
  useApiMutation(shown, (labelId: string) =>
    callApi('DELETE /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId } }),
  )
