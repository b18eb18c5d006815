import { randomBytes } from 'node:crypto'
import { type Id, type Kind, kinds } from '../../contract/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 48 bits of time and 80 of chance, in 26 characters that sort by time. */
export function newId<K extends Kind>(kind: K, now = Date.now()): Id<K> {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    time = alphabet.charAt(rest % 32) + time
  let chance = ''
  for (const byte of randomBytes(16)) chance += alphabet.charAt(byte & 31)
  return `${kinds[kind]}_${time}${chance}`
}
