import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { call } from '../../../lib/http/call.ts'
import { useChange } from '../../../lib/form/use-change.ts'

export type Label = Reply<Api['GET /v1/applications/{id}/labels']>['labels'][number]

const shown = ['applications']

export const labelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'labels', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/applications/{id}/labels', { params: { id } }, signal)).labels,
    meta: { quiet: true },
  })

export const useUpdateLabel = (id: string) =>
  useChange(shown, ({ labelId, ...body }: Pair & { labelId: string }) =>
    call('PUT /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId }, body }),
  )

export const useReplaceLabels = (id: string) =>
  useChange(
    shown,
    (labels: readonly Pair[]) =>
      call('PUT /v1/applications/{id}/labels', { params: { id }, body: { labels: [...labels] } }),
    true,
  )

export const useRemoveLabel = (id: string) =>
  useChange(shown, (labelId: string) =>
    call('DELETE /v1/applications/{id}/labels/{label_id}', { params: { id, label_id: labelId } }),
  )
