import { expect, test } from 'vitest'
import { parseAnsi } from '../ansi/ansi.ts'
import { toLogLine } from './log-entry.ts'
import { prefixWithName, shortNames } from './logged-container.ts'

test('shortens names at the first difference after a dash', () => {
  const short = (...names: string[]) => [...shortNames(names).values()]
  expect(short('shop-3-1-k2f9', 'shop-3-2-x7d1', 'shop-4-1-aaaa')).toEqual([
    '3-1-k2f9',
    '3-2-x7d1',
    '4-1-aaaa',
  ])
  expect(short('my-shop-3-1-k2f9', 'my-shop-3-2-x7d1')).toEqual(['1-k2f9', '2-x7d1'])
  expect(short('shop-3-1-k2f9')).toEqual(['shop-3-1-k2f9'])
  expect(short('shop', 'till-1')).toEqual(['shop', 'till-1'])
})

const textOf = (raw: string) =>
  parseAnsi(raw)
    .map((piece) => piece.text)
    .join('')

test.each(['plain', '\u001b[31mred\u001b[0m end', 'old\rnew', 'bell\u0007'])(
  'includes the name before %j in display and search',
  (text) => {
    const line = toLogLine({ stream: 'stdout', text })
    const said = prefixWithName(line, '3-1', 0)
    expect(said.text).toBe(`3-1 ${line.text}`)
    const read = said.raw === undefined ? said.text : textOf(said.raw)
    expect(read).toBe(said.text)
  },
)
