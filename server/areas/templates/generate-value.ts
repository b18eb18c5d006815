import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Input } from './template-schema.ts'

/** Characters of generated values, without those that look alike. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const moods = 'brave bright calm clever gentle happy keen kind lucky proud quick quiet'.split(' ')
const places = 'anchor beacon breeze coast current ferry harbour island jetty lagoon pier tide'.split(' ')

/** Generates a random value without characters that have a meaning in a URL or a shell. */
export const generateValue = ({ kind, length }: NonNullable<Input['generate']>): string =>
  generators[kind](length)

const generators: Record<NonNullable<Input['generate']>['kind'], (length: number) => string> = {
  password: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
  hex: (length) => randomBytes(length).toString('hex'),
  base64: plainBase64,
  uuid: () => randomUUID(),
  user: () => `${randomWord(moods)}${randomWord(places)}${randomInt(10, 100)}`,
  // A generated domain depends on the address of the server, which is not known here.
  domain: () => '',
}

const randomWord = (words: readonly string[]) => words[randomInt(words.length)] ?? ''

/** Draws three bytes at a time until they need neither + nor /, so that the text is the same in both alphabets. */
function plainBase64(length: number): string {
  const parts: string[] = []
  for (let left = length; left > 0;) {
    const part = randomBytes(Math.min(3, left)).toString('base64')
    if (/[+/]/.test(part)) continue
    parts.push(part)
    left -= 3
  }
  return parts.join('')
}
