import type { Mapping } from '../../../../contract/shared/entries.ts'
import { call } from '../../../lib/http/call.ts'
import { useChange } from '../../../lib/form/use-change.ts'

const shown = ['applications']

/** Creates a volume, or updates the one with the given ID. */
export const useSaveVolume = (id: string) =>
  useChange(shown, ({ volumeId, ...body }: Mapping & { volumeId: string | undefined }) =>
    volumeId === undefined
      ? call('POST /v1/applications/{id}/volumes', { params: { id }, body })
      : call('PUT /v1/applications/{id}/volumes/{volume_id}', { params: { id, volume_id: volumeId }, body }),
  )

export const useRemoveVolume = (id: string) =>
  useChange(shown, (volumeId: string) =>
    call('DELETE /v1/applications/{id}/volumes/{volume_id}', { params: { id, volume_id: volumeId } }),
  )
