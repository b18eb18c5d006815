import { Invalid } from '../../errors.ts'

/** What SSH servers show themselves with, best first. */
const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa']

/** Host keys as `type base64`, best first, of lines as they stand in a server's `.pub` files. */
export function keysIn(lines: string[]): string[] {
  const keys = lines.flatMap((line) => {
    const [type = '', base64 = ''] = line.trim().split(/\s+/)
    return types.includes(type) && typeIn(base64) === type ? [`${type} ${base64}`] : []
  })
  if (keys.length === 0)
    throw new Invalid({ host_keys: ['Must hold an Ed25519, ECDSA or RSA key of the SSH server.'] })
  return [...new Set(keys)].sort((a, b) => rank(a) - rank(b))
}

/** A key begins with the name of its type, and the length of that. */
function typeIn(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64 || bytes.length < 8) return ''
  return bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString('latin1')
}

const rank = (key: string) => types.indexOf(key.split(' ')[0] ?? '')
