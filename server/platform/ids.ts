import { randomBytes } from 'node:crypto'
import { type Id, type Kind, kinds } from '../../contract/shared/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const ofMillisecond = { time: 0, made: 0 }

export function newId<K extends Kind>(kind: K, now = Date.now()): Id<K> {
  // Keep the order when the clock is set back or the counter overflows.
  if (now > ofMillisecond.time) Object.assign(ofMillisecond, { time: now, made: 0 })
  else if (++ofMillisecond.made === 32 ** 3)
    Object.assign(ofMillisecond, { time: ofMillisecond.time + 1, made: 0 })
  let chance = ''
  for (const byte of randomBytes(13)) chance += alphabet.charAt(byte & 31)
  return `${kinds[kind]}_${written(ofMillisecond.time, 10)}${written(ofMillisecond.made, 3)}${chance}`
}

function written(value: number, digits: number): string {
  let text = ''
  for (let rest = value, i = 0; i < digits; i++, rest = Math.floor(rest / 32))
    text = alphabet.charAt(rest % 32) + text
  return text
}
