import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../test/support/run/campaign.ts'
import { LogBatch } from './log-batch.ts'
import { LogReadError, LineReader } from './line-reader.ts'

const stamp = (nanoseconds: number) => `2030-01-31T12:00:00.${String(nanoseconds).padStart(9, '0')}Z`

/** Encodes a Docker frame: 0, 1 or 2 is stdin, stdout or stderr. */
function frame(kind: number, at: number, text: string | Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(`${stamp(at)} `), Buffer.from(text)])
  const header = Buffer.alloc(8)
  header[0] = kind
  header.writeUInt32BE(content.length, 4)
  return Buffer.concat([header, content])
}

/** Reads the bytes split at these offsets. */
function read(bytes: Buffer, { tty = false, cuts = [], isOver = false }: ReadOptions = {}) {
  const reader = new LineReader(tty)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const all = new LogBatch()
  places.slice(1).forEach((to, index) => all.addAll(reader.read(bytes.subarray(places[index], to))))
  all.addAll(reader.end(isOver))
  const { data } = all.event(true)
  return data.type === 'lines' ? data.lines : []
}
interface ReadOptions {
  tty?: boolean
  cuts?: number[]
  isOver?: boolean
}
const texts = (lines: { text: string }[]) => lines.map(({ text }) => text)
const piece = 'x'.repeat(16_384)

describe('frames', () => {
  const awkward = Buffer.concat([
    frame(1, 1, 'one\n'),
    frame(2, 2, '\n'),
    frame(1, 3, piece),
    frame(2, 4, 'between\r\n'),
    frame(1, 3, 'end ⛵\n'),
    frame(1, 5, Buffer.from([0xff, 0x00, 0x1b, 0x0a])),
    frame(1, 6, 'its writer has ended'),
    frame(1, 7, 'and began again\n'),
  ])

  test('give the same lines however they are split', () => {
    const whole = read(awkward)
    expect(whole).toEqual([
      { stream: 'stdout', text: 'one', at: stamp(1) },
      { stream: 'stderr', text: '', at: stamp(2) },
      { stream: 'stderr', text: 'between\r', at: stamp(4) },
      { stream: 'stdout', text: `${piece}end ⛵`, at: stamp(3) },
      { stream: 'stdout', text: '\u{fffd}\0\u{1b}', at: stamp(5) },
      { stream: 'stdout', text: 'its writer has ended', at: stamp(6) },
      { stream: 'stdout', text: 'and began again', at: stamp(7) },
    ])
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        expect(read(awkward, { cuts })).toEqual(whole)
      }),
      { numRuns: times(100, 5_000) },
    )
  })

  test('of one line are joined up to 1 MB and split between characters', () => {
    const ships = Buffer.from(`${'⛵'.repeat(700_000)}\n`)
    const pieces = Array.from({ length: Math.ceil(ships.length / 16_384) }, (_, index) =>
      frame(1, 1, ships.subarray(index * 16_384, (index + 1) * 16_384)),
    )
    const lines = texts(read(Buffer.concat(pieces)))
    expect(lines.join('')).toBe(ships.toString().trim())
    expect(lines.map((text) => Buffer.byteLength(text))).toEqual([1_048_575, 1_048_575, 2_850])
    const exact = Array.from({ length: 64 }, () => frame(1, 1, piece))
    expect(texts(read(Buffer.concat([...exact, frame(1, 1, '\n')]))).map((text) => text.length)).toEqual([
      1_048_576,
    ])
  })

  test('without a line end wait for it, unless the writer has exited', () => {
    expect(read(frame(1, 1, piece))).toEqual([])
    expect(texts(read(frame(1, 1, piece), { isOver: true }))).toEqual([piece])
    expect(texts(read(Buffer.concat([frame(1, 1, piece), frame(1, 2, 'new\n')])))).toEqual([piece, 'new'])
  })

  test('with a read error of Docker are no lines', () => {
    const broken = Buffer.concat([frame(1, 1, 'one\n'), frame(3, 2, 'Error grabbing logs: unexpected EOF\n')])
    expect(() => read(broken)).toThrow(LogReadError)
  })

  test('with the same time have separate ordinals per stream', () => {
    const reader = new LineReader(false)
    const all = [frame(1, 1, 'a\n'), frame(2, 1, 'b\n'), frame(1, 1, 'c\n'), frame(1, 2, 'd\n')]
    const places = all.map((one) => reader.read(one).last)
    expect(places).toEqual([
      { stamp: stamp(1), ordinal: 0 },
      { stamp: stamp(1), ordinal: 1 },
      { stamp: stamp(1), ordinal: 2 },
      { stamp: stamp(2), ordinal: 0 },
    ])
  })
})

test('TTY bytes give the same lines however they are split', () => {
  const bytes = Buffer.from(
    [
      `${stamp(1)} one\r\n`,
      `${stamp(2)} \r\n`,
      `${stamp(3)} ${piece}${stamp(3)} ${piece}${stamp(3)} end\r\n`,
      `${stamp(4)} a\rb\r\n`,
      `${stamp(5)} ${stamp(4)} again\r\n`,
      `${stamp(6)} ${piece}${stamp(6)} long\r\n`,
      `${stamp(7)} $ `,
    ].join(''),
  )
  const whole = read(bytes, { tty: true })
  expect(texts(whole)).toEqual([
    'one',
    '',
    `${piece}${piece}end`,
    'a\rb',
    `${stamp(4)} again`,
    `${piece}long`,
    '$ ',
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
      expect(read(bytes, { tty: true, cuts })).toEqual(whole)
    }),
    { numRuns: times(100, 5_000) },
  )
})
