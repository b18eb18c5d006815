import { expect, it } from 'vitest'
import { createLineSplitter, toLogLine } from './log-entry.ts'

const out = (text: string, at = 'noon') => ({ stream: 'stdout' as const, text, at })
const error = (text: string, at = 'noon') => ({ stream: 'stderr' as const, text, at })

it('joins chunks into lines per stream', () => {
  const { split, rest } = createLineSplitter()
  expect(split(out('one\ntw'))).toEqual([out('one')])
  expect(split(error('oops\n'))).toEqual([error('oops')])
  expect(split(out('o\n\nthree'))).toEqual([out('two'), out('')])
  expect(split(error('no end'))).toEqual([])
  expect(rest()).toEqual([out('three'), error('no end')])
  expect(rest()).toEqual([])
})

it('gives each line the time of its start', () => {
  const { split, rest } = createLineSplitter()
  expect(split(out('one\ntw', 'noon'))).toEqual([out('one', 'noon')])
  expect(split(out('o', 'later'))).toEqual([])
  expect(split(out('\nthree\nfo', 'night'))).toEqual([out('two', 'noon'), out('three', 'night')])
  expect(rest()).toEqual([out('fo', 'night')])
})

it('keeps what printed a line', () => {
  const { split } = createLineSplitter()
  const piece = { stream: 'stdout', at: '2030-01-31T12:00:00Z' } as const
  const lines = [
    ...split({ ...piece, text: 'Started container shop-1\n', origin: 'slipway' }),
    ...split({ ...piece, text: '\u001b[32mready\u001b[0m\n', origin: 'container' }),
  ]
  expect(lines.map(toLogLine).map(({ text, origin }) => [origin, text])).toEqual([
    ['slipway', 'Started container shop-1'],
    ['container', 'ready'],
  ])
})

it('never continues a line of Slipway with output of a build', () => {
  const { split, rest } = createLineSplitter()
  const piece = { stream: 'stdout', at: 'noon' } as const
  const lines = [
    ...split({ ...piece, text: 'Deployment compl', origin: 'build' }),
    ...split({ ...piece, text: 'Lost the connection\n', origin: 'slipway' }),
    ...split({ ...piece, text: 'eted\nno end', origin: 'build' }),
    ...rest(),
  ]
  expect(lines.map(({ text, origin }) => [origin, text])).toEqual([
    ['slipway', 'Lost the connection'],
    ['build', 'Deployment completed'],
    ['build', 'no end'],
  ])
})
