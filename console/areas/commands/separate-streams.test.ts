import { expect, it } from 'vitest'
import { separateStreams } from './separate-streams.ts'

const out = (text: string) => ({ stream: 'stdout' as const, text })
const error = (text: string) => ({ stream: 'stderr' as const, text })

it('puts stderr after stdout behind a separator, in order', () => {
  const said = [out('one'), error('oops'), out('two'), error('again')]
  expect(separateStreams(said).map(({ text }) => text)).toEqual([
    'one',
    'two',
    '--- stderr ---',
    'oops',
    'again',
  ])
  expect(separateStreams([error('oops')]).map(({ text }) => text)).toEqual(['--- stderr ---', 'oops'])
})

it('needs no separator without stderr', () => {
  expect(separateStreams([out('one'), out('two')])).toEqual([out('one'), out('two')])
  expect(separateStreams([])).toEqual([])
})
