import { useMutation } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { fillPath } from '../../lib/http/fill-path.ts'
import { openFile } from '../../lib/http/save-file.ts'

const key = 'GET /v1/servers/{id}/containers/{cid}/logs/download'

type LogDownload = Input<Api[typeof key]>['query'] & { containerId: string }

/** A log may be larger than the memory of a page, so the browser downloads the log from a URL with a ticket. */
export const useLogDownload = (id: string) =>
  useMutation({
    mutationFn: async (all: readonly LogDownload[]) => {
      for (const { containerId: cid, ...query } of all) {
        const path = fillPath(key.slice('GET '.length), { params: { id, cid } })
        const { ticket } = await callApi('POST /v1/stream-tickets', { body: { path } })
        openFile(fillPath(path, { query: { ...query, token: ticket } }))
      }
    },
  })
