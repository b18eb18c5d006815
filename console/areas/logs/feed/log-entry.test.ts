import { expect, it } from 'vitest'
import { createLineSplitter } from './log-entry.ts'

const out = (text: string, at = 'noon') => ({ stream: 'stdout' as const, text, at })
const error = (text: string, at = 'noon') => ({ stream: 'stderr' as const, text, at })

it('joins chunks into lines per stream', () => {
  const { cut, rest } = createLineSplitter()
  expect(cut(out('one\ntw'))).toEqual([out('one')])
  expect(cut(error('oops\n'))).toEqual([error('oops')])
  expect(cut(out('o\n\nthree'))).toEqual([out('two'), out('')])
  expect(cut(error('no end'))).toEqual([])
  expect(rest()).toEqual([out('three'), error('no end')])
  expect(rest()).toEqual([])
})

it('gives each line the time of its start', () => {
  const { cut, rest } = createLineSplitter()
  expect(cut(out('one\ntw', 'noon'))).toEqual([out('one', 'noon')])
  expect(cut(out('o', 'later'))).toEqual([])
  expect(cut(out('\nthree\nfo', 'night'))).toEqual([out('two', 'noon'), out('three', 'night')])
  expect(rest()).toEqual([out('fo', 'night')])
})
