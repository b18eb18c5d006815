import { expect, it } from 'vitest'
import { createLineCutter } from './line-cutter.ts'

const out = (text: string) => ({ stream: 'stdout' as const, text })
const error = (text: string) => ({ stream: 'stderr' as const, text })

it('makes lines of pieces, wherever these end, and keeps the streams apart', () => {
  const { cut, rest } = createLineCutter()
  expect(cut(out('one\ntw'))).toEqual([out('one')])
  expect(cut(error('oops\n'))).toEqual([error('oops')])
  expect(cut(out('o\n\nthree'))).toEqual([out('two'), out('')])
  expect(cut(error('no end'))).toEqual([])
  expect(rest()).toEqual([out('three'), error('no end')])
  expect(rest()).toEqual([])
})
