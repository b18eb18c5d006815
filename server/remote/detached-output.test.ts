import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineAssembler, MarkedStream } from './detached-output.ts'

test('separates content and trailer for any chunks', () => {
  const content = fc.string({ unit: fc.constantFrom('#', '-', 'a', '\n') })
  fc.assert(
    fc.property(
      content,
      content.filter((text) => !`${text}#--#`.slice(0, -1).includes('#--#')),
      fc.array(fc.nat(40)),
      (noise, said, cuts) => {
        const clean = noise.replaceAll('#', '').concat('\n')
        const whole = Buffer.from(`${clean}#--#${said}#--#ended 0`)
        const passed: Buffer[] = []
        const marked = new MarkedStream('#--#', (piece) => passed.push(piece))
        const places = [...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length]
        let from = 0
        for (const to of places) {
          marked.take(whole.subarray(from, to))
          from = to
        }
        expect(Buffer.concat(passed).toString()).toBe(said)
        expect(marked.trailer).toBe('ended 0')
      },
    ),
  )
})

test('passes on immediately what cannot be the marker', () => {
  const passed: string[] = []
  const marked = new MarkedStream('#--#', (piece) => passed.push(piece.toString()))
  marked.take(Buffer.from('hello#--#one'))
  marked.take(Buffer.from('two#-'))
  marked.take(Buffer.from('three'))
  expect(passed).toEqual(['one', 'two', '#-three'])
  expect(marked.trailer).toBeUndefined()
})

/** Splits the bytes into chunks with their end offsets. */
function piecesOf(bytes: Buffer, cuts: number[]) {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b)
  return ends.map((end, i) => ({
    stream: 'stdout' as const,
    data: bytes.subarray(ends[i - 1] ?? 0, end),
    offset: end,
  }))
}

test('returns each complete line once for any chunks, also after a takeover', () => {
  const text = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((line) => line.replaceAll(/[\n\0]/g, ' ')),
  )
  fc.assert(
    fc.property(text, fc.array(fc.nat()), fc.nat(), (all, cuts, stop) => {
      const bytes = Buffer.from(all.map((line) => `${line}\n`).join(''))
      const pieces = piecesOf(bytes, cuts)
      const first = new LineAssembler({ stdout: 0, stderr: 0 })
      const parts = pieces.slice(0, stop % (pieces.length + 1)).map((piece) => first.add(piece))
      // The next follower starts after the saved offset.
      const from = first.reached.stdout_offset
      const second = new LineAssembler({ stdout: from, stderr: 0 })
      parts.push(
        second.add({ stream: 'stdout', data: bytes.subarray(from), offset: bytes.length }),
        second.end(),
      )
      expect(parts.join('')).toBe(bytes.toString())
      for (const part of parts) expect(part === '' || part.endsWith('\n')).toBe(true)
      expect(second.reached).toEqual({ stdout_offset: bytes.length, stderr_offset: 0 })
    }),
  )
})

test('returns an unfinished line at the end, and splits long lines', () => {
  const lines = new LineAssembler({ stdout: 5, stderr: 0 })
  expect(lines.add({ stream: 'stdout', data: Buffer.from('half a\0 line'), offset: 17 })).toBe('')
  expect(lines.reached).toEqual({ stdout_offset: 5, stderr_offset: 0 })
  expect(lines.end()).toBe('half a line\n')
  expect(lines.reached).toEqual({ stdout_offset: 17, stderr_offset: 0 })
  const long = Buffer.alloc(70_000, 'x')
  expect(lines.add({ stream: 'stderr', data: long, offset: 70_000 })).toHaveLength(70_000)
  expect(lines.reached).toEqual({ stdout_offset: 17, stderr_offset: 70_000 })
})
