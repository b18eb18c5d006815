import { z } from 'zod'
import type { Fetched } from '../../platform/safe-fetch.ts'

/** Where the services say in words what they think: `message` Discord, `description` Telegram, `errors` Pushover, `error` the others. */
const spoken = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ description: z.string() }).transform(({ description }) => description),
  z.object({ errors: z.array(z.string()).min(1) }).transform(({ errors }) => errors.join(', ')),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])

/** What a receiver said, in one line. A page for a browser, and data without words, say nothing. */
export function readWords(text: string): string {
  const read = parsed(text)
  const found = spoken.safeParse(read)
  if (!found.success && (read !== undefined || /^\s*</.test(text))) return ''
  return (found.data ?? text).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

/** Discord's and Telegram's, beside the header that all of them know. */
const waiting = z.union([
  z.object({ retry_after: z.number() }).transform((body) => body.retry_after),
  z
    .object({ parameters: z.object({ retry_after: z.number() }) })
    .transform((body) => body.parameters.retry_after),
])
const usual = 60

/** How many seconds a receiver wants to be left alone for: a number of them, or a date. */
export function waitOf({ headers, text }: Pick<Fetched, 'headers' | 'text'>): number {
  const header = (headers['retry-after'] ?? '').trim()
  const given = /^\d+(\.\d+)?$/.test(header)
    ? Number(header)
    : header === ''
      ? (waiting.safeParse(parsed(text)).data ?? usual)
      : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(given) ? Math.max(1, Math.ceil(given)) : usual
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
