/** What was sent and has not been answered: the same again gets the same key, so that it is not done twice. */
const unanswered = new Map<string, string>()

/** A key for a request, which the server does once however often it comes. */
export function onceKey(request: string): string {
  const key = unanswered.get(request) ?? newKey()
  unanswered.set(request, key)
  return key
}

/** It was answered: the same once more is meant as another one. */
export const answered = (request: string) => unanswered.delete(request)

/** Nobody knows whether what is behind a proxy has done it. */
export const isAnswer = (status: number) => ![502, 503, 504].includes(status)

// Not randomUUID, which browsers have on HTTPS alone.
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
