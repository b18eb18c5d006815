import { createHash, randomBytes } from 'node:crypto'

/** 256 bits that nobody guesses; the prefix tells people and secret scanners what they look at. */
export const newToken = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`

/** Tokens are stored as this. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
