import { randomBytes } from 'node:crypto'
import { type Id, type Kind, kinds } from '../../contract/shared/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const last = { time: 0, count: 0 }

export function newId<K extends Kind>(kind: K, now = Date.now()): Id<K> {
  // IDs stay in order when the clock is set back or the counter overflows.
  if (now > last.time) Object.assign(last, { time: now, count: 0 })
  else if (++last.count === 32 ** 3) Object.assign(last, { time: last.time + 1, count: 0 })
  let chance = ''
  for (const byte of randomBytes(13)) chance += alphabet.charAt(byte & 31)
  return `${kinds[kind]}_${encode(last.time, 10)}${encode(last.count, 3)}${chance}`
}

function encode(value: number, digits: number): string {
  let text = ''
  for (let remaining = value, i = 0; i < digits; i++, remaining = Math.floor(remaining / 32))
    text = alphabet.charAt(remaining % 32) + text
  return text
}
