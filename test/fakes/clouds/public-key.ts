import { createHash } from 'node:crypto'

/** The fingerprint of a public key's line, as pairs of hex digits; undefined where it is none. */
export function fingerprintOf(line: string): string | undefined {
  const [, kind = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})( [^\n]*)?$/.exec(line.trim()) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // It says of what kind it is once more inside.
  if (kind === '' || bytes.length < 32 || bytes.toString('latin1', 4, 4 + bytes.readUInt32BE(0)) !== kind)
    return undefined
  return createHash('md5')
    .update(bytes)
    .digest('hex')
    .replaceAll(/(..)(?=.)/g, '$1:')
}
