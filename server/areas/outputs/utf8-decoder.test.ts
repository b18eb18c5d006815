import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../test/support/run/campaign.ts'
import { Utf8Decoder } from './utf8-decoder.ts'

/** Splits bytes at these offsets and decodes them chunk by chunk. */
function decoded(bytes: Buffer, cuts: number[]): string {
  const decoder = new Utf8Decoder()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const pieces = places.slice(1).map((to, index) => decoder.write(bytes.subarray(places[index], to)))
  return pieces.join('') + decoder.end()
}

const cuts = fc.array(fc.nat(), { maxLength: 20 })

test('decodes text independently of chunk boundaries', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(text, cuts, (given, places) => {
      expect(decoded(Buffer.from(given), places)).toBe(given.replaceAll('\0', '\u{fffd}'))
    }),
    { numRuns: times(500, 20_000) },
  )
})

test('decodes invalid bytes independently of chunk boundaries', () => {
  const awkward = fc.constantFrom(0, 0x41, 0x80, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xff)
  const bytes = fc.array(fc.oneof(awkward, fc.nat(255)), { maxLength: 60 })
  fc.assert(
    fc.property(bytes, cuts, (given, places) => {
      const whole = Buffer.from(given)
      expect(decoded(whole, places)).toBe(whole.toString('utf8').replaceAll('\0', '\u{fffd}'))
    }),
    { numRuns: times(2_000, 100_000) },
  )
})

test('holds back only incomplete characters', () => {
  const decoder = new Utf8Decoder()
  const ship = Buffer.from('⛵')
  expect(decoder.write(Buffer.concat([Buffer.from('a'), ship.subarray(0, 2)]))).toBe('a')
  expect(decoder.held).toBe(2)
  expect(decoder.write(ship.subarray(2))).toBe('⛵')
  expect(decoder.held).toBe(0)
  decoder.write(Buffer.from([0xff, 0xe2]))
  expect(decoder.held).toBe(1)
  expect(decoder.end()).toBe('\u{fffd}')
})

test('replaces NUL', () => {
  expect(decoded(Buffer.from('a\0b'), [])).toBe('a\u{fffd}b')
})
