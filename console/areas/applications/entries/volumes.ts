import type { Mapping } from '../../../../contract/shared/entries.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { useApiMutation } from '../../../lib/form/use-api-mutation.ts'

const shown = ['applications']

/** Creates a volume, or updates the one with the given ID. */
export const useSaveVolume = (id: string) =>
  useApiMutation(shown, ({ volumeId, ...body }: Mapping & { volumeId: string | undefined }) =>
    volumeId === undefined
      ? callApi('POST /v1/applications/{id}/volumes', { params: { id }, body })
      : callApi('PUT /v1/applications/{id}/volumes/{volume_id}', {
          params: { id, volume_id: volumeId },
          body,
        }),
  )

export const useRemoveVolume = (id: string) =>
  useApiMutation(shown, (volumeId: string) =>
    callApi('DELETE /v1/applications/{id}/volumes/{volume_id}', { params: { id, volume_id: volumeId } }),
  )
