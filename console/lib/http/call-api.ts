import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { readData, send } from './send.ts'

type Arguments<K extends keyof Api> =
  unknown extends Input<Api[K]>
    ? [input?: undefined, signal?: AbortSignal]
    : [input: Input<Api[K]>, signal?: AbortSignal]

/** Calls the API: `callApi('GET /v1/servers', { query: { q: 'web' } })`. Throws an ApiError. */
export async function callApi<K extends keyof Api>(
  key: K,
  ...[input, signal]: Arguments<K>
): Promise<Reply<Api[K]>> {
  const response = await send(key, input ?? {}, signal)
  // oxlint-disable-next-line no-unsafe-type-assertion -- the server cuts its replies to this schema
  return (await readData(response)) as Reply<Api[K]>
}
