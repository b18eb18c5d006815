/** Milliseconds in which the same again is the same press; later, things have moved on, and it is another one. */
const SAME = 900_000

/** What was sent and has not been answered: the same again gets the same key, so that it is not done twice. */
const unanswered = new Map<string, { key: string; until: number }>()

/** A key for a request, which the server does once however often it comes. */
export function onceKey(request: string): string {
  const known = unanswered.get(request)
  if (known && known.until > Date.now()) return known.key
  const key = newKey()
  unanswered.set(request, { key, until: Date.now() + SAME })
  return key
}

/** It was answered: the same once more is meant as another one. */
export const answered = (request: string) => unanswered.delete(request)

/** Nobody knows whether what is behind a proxy has done it. */
export const isAnswer = (status: number) => ![502, 503, 504].includes(status)

// Not randomUUID, which browsers have on HTTPS alone.
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
