/** Idempotency keys of requests without a response: a repeated request reuses its key. */
const unanswered = new Map<string, string>()

/** Returns the idempotency key of a request. */
export function getIdempotencyKey(request: string): string {
  const key = unanswered.get(request) ?? newKey()
  unanswered.set(request, key)
  return key
}

/** After a response, the same request is a new one. */
export const dropIdempotencyKey = (request: string) => unanswered.delete(request)

/** An error of a proxy does not tell whether the server processed the request. */
export const isServerResponse = (status: number) => ![502, 503, 504].includes(status)

// randomUUID is available over HTTPS only.
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
