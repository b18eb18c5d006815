import { createSign } from 'node:crypto'
import type { GitHubApp } from '../auth/github-app.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a JWT for the App. It starts one minute ago to allow for clock skew and expires within ten. */
export function appToken({ id, privateKey }: GitHubApp): string {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: String(id), iat: now - 60, exp: now + 540 })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}
