import { expect, test } from 'vitest'
import { appendOutputPiece, type OutputLine, type OutputPiece, outputPosition } from './output-lines.ts'

const out = (text: string): OutputPiece => ({ stream: 'stdout', text })
const err = (text: string): OutputPiece => ({ stream: 'stderr', text })
const read = (...pieces: OutputPiece[]) =>
  pieces
    .reduce<OutputLine[]>(appendOutputPiece, [])
    .map(({ stream, text }) => `${stream === 'stderr' ? '! ' : ''}${text}`)

test('joins chunks into lines', () => {
  expect(read(out('one\ntw'), out('o\n'), out('\nthree'))).toEqual(['one', 'two', '', 'three'])
})

test('returns no line for no output, and keeps empty lines', () => {
  expect(read(out(''))).toEqual([])
  expect(read(out('\n'))).toEqual([''])
})

test('continues a line that stderr interrupted', () => {
  expect(read(out('fetching'), err('slow\n'), out(' done\nnext\n'))).toEqual([
    'fetching done',
    '! slow',
    'next',
  ])
})

test('keeps only the last state of a progress bar', () => {
  expect(read(out('10 %\r50 %'), out('\r100 %\ndone\r\n'))).toEqual(['100 %', 'done'])
})

test('keeps escape sequences, even across chunks', () => {
  expect(read(out('\u001b[1;'), out('32mok\u001b'), out('[0m\nfine\n'))).toEqual([
    '\u001b[1;32mok\u001b[0m',
    'fine',
  ])
})

test('reads the position of an event ID with or without a setup ID', () => {
  expect(['7', 'set_01jd4y2:10'].map(outputPosition)).toEqual([7, 10])
})
