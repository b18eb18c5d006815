import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

export interface KeyPair {
  privateKey: string
  publicKey: string
}

export function newKeyPair(comment: string): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    // ssh2 corrupts one in 256 keys: those whose public half begins with zero (mscdex/ssh2#1390).
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error))
      return { privateKey: pair.private, publicKey: pair.public }
  }
}

export function keyFingerprint(publicKey: string): string {
  const [, base64 = ''] = publicKey.split(' ')
  const hash = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64')
  return `SHA256:${hash.replace(/=+$/, '')}`
}
