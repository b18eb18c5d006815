import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits that nobody guesses; the prefix tells people and secret scanners what they look at. */
export const newToken = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`

/** Tokens are stored as this. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Takes as long whatever the two are, so that nobody finds out a secret piece by piece. */
export const timingSafeEquals = (given: string, secret: string) =>
  timingSafeEqual(digest(given), digest(secret))

const digest = (text: string) => createHash('sha256').update(text).digest()
