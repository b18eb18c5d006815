import { createHmac, timingSafeEqual } from 'node:crypto'
import { timingSafeEquals } from '../../platform/tokens.ts'
import type { RawBody } from '../../route.ts'

/** Headers that may contain the secret, because some services cannot set the header `secret`. */
const secretHeaders = ['secret', 'x-hook-secret', 'x-gitlab-token']

/** Headers that contain the HMAC-SHA256 of the body, as Gitea, Forgejo, Gogs, GitHub and Bitbucket send it. */
const signatureHeaders = [
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-gogs-signature',
  'x-hub-signature-256',
  'x-hub-signature',
]

type Headers = Pick<RawBody, 'header'>

/** Compares all candidates, so that the duration does not reveal which one was close. */
export function presentsSecret(webhook: Headers, inPath: string | undefined, secret: string): boolean {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(webhook.header('authorization') ?? '') ?? []
  const candidates = [...secretHeaders.map((name) => webhook.header(name)), bearer]
  return [
    timingSafeEquals(inPath ?? '', toPathSecret(secret)),
    ...candidates.map((candidate = '') => timingSafeEquals(candidate, secret)),
  ].includes(true)
}

/** Derives the secret of the path. Proxies and services log paths, which must not reveal the key of signatures. */
export const toPathSecret = (secret: string) =>
  createHmac('sha256', secret).update('deploy hook path').digest('hex')

/**
 * Verifies the webhook signature of a deploy hook. Returns undefined if the request has no signature, so that its body
 * need not be read.
 */
export function createSignatureCheck(webhook: Headers, secret: string) {
  const signatures = signatureHeaders.flatMap((name) => parseSignature(webhook.header(name)) ?? [])
  if (signatures.length === 0) return undefined
  const hmac = createHmac('sha256', secret)
  return {
    update: (chunk: Buffer) => void hmac.update(chunk),
    matches(): boolean {
      const expected = hmac.digest()
      return signatures.map((signature) => timingSafeEqual(expected, signature)).includes(true)
    },
  }
}

function parseSignature(value: string | undefined): Buffer | undefined {
  const [, hex] = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(value ?? '') ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}
