import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a 256-bit token. The prefix identifies its kind for people and secret scanners. */
export const newToken = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Compares tokens in constant time, so that the duration reveals nothing about the secret. */
export const timingSafeEquals = (candidate: string, secret: string) =>
  timingSafeEqual(digest(candidate), digest(secret))

const digest = (text: string) => createHash('sha256').update(text).digest()
