import { expect, test } from 'vitest'
import { addPiece, type OutputLine, type OutputPiece, outputPosition } from './output-lines.ts'

const out = (text: string): OutputPiece => ({ stream: 'stdout', text })
const err = (text: string): OutputPiece => ({ stream: 'stderr', text })
const read = (...pieces: OutputPiece[]) =>
  pieces
    .reduce<OutputLine[]>(addPiece, [])
    .map(({ stream, text }) => `${stream === 'stderr' ? '! ' : ''}${text}`)

test('pieces become lines wherever they were cut', () => {
  expect(read(out('one\ntw'), out('o\n'), out('\nthree'))).toEqual(['one', 'two', '', 'three'])
})

test('nothing is no line, and an empty line is one', () => {
  expect(read(out(''))).toEqual([])
  expect(read(out('\n'))).toEqual([''])
})

test('a line that stderr broke into goes on where it began', () => {
  expect(read(out('fetching'), err('slow\n'), out(' done\nnext\n'))).toEqual([
    'fetching done',
    '! slow',
    'next',
  ])
})

test('of a progress bar only its last state is kept', () => {
  expect(read(out('10 %\r50 %'), out('\r100 %\ndone\r\n'))).toEqual(['100 %', 'done'])
})

test('colours of a terminal are left out, also when they come in two pieces', () => {
  expect(read(out('\u001b[1;32mok\u001b[0m\n\u001b]0;title\u0007fine\n'))).toEqual(['ok', 'fine'])
  expect(read(out('\u001b[1;'), out('32mok\u001b'), out('[0m\n'))).toEqual(['ok'])
})

test('events have a place, whether their id names a set-up or not', () => {
  expect(['7', 'set_01jd4y2:10'].map(outputPosition)).toEqual([7, 10])
})
