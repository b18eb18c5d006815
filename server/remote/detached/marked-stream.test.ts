import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MarkedStream } from './marked-stream.ts'

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
