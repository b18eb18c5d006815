import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDotenv, readVariables, writeVariables } from './dotenv.ts'
import { cpuTimeOf } from '../../test/support/run/cpu-time.ts'

const read = (text: string) => Object.fromEntries(readVariables(text).map(({ key, value }) => [key, value]))

/** These results come from Docker Compose 2.26. server/remote/compose.system.test.ts compares random texts. */
const asCompose: [string, Record<string, string>][] = [
  ['# c\n\n  # d\nA=1\n\n\n', { A: '1' }],
  ['A = 1 \n\tB=\t2\t\n', { A: '1', B: '2' }],
  [
    'export A=1\nexport\tB=2\n  export  C = 3\nexportD=4\nexport=5',
    { A: '1', B: '2', C: '3', exportD: '4', export: '5' },
  ],
  [
    'A=x # c\nB=x# c\nC=x\t# c\nD= # c\nE=#c\nF="" # c',
    { A: 'x', B: 'x# c', C: 'x\t# c', D: '# c', E: '#c', F: '' },
  ],
  ['A="x # y" # z\nB=\'x # y\' # "z"\nC= "x y" ', { A: 'x # y', B: 'x # y', C: 'x y' }],
  ['A="a\n# b\n\nc"\nB=\'\nd\n\'\nC=1', { A: 'a\n# b\n\nc', B: '\nd\n', C: '1' }],
  [String.raw`A="a\nb\tc\rd\"e\\f\$g\xh\'i"`, { A: 'a\nb\tc\rd"e\\f$g\\xh\\\'i' }],
  [String.raw`A='a\nb\'c\\d'`, { A: "a\\nb'c\\\\d" }],
  [String.raw`A=a\nb\"c\\d`, { A: 'a\\nb\\"c\\\\d' }],
  ['A="\\"\\""\nB="x\\\\"\nC=\'x\\\\\'', { A: '""', B: 'x\\', C: 'x\\\\' }],
  ['A="a\'b"\nB=\'a"b\'\nC=it\'s\nD=a"b c"d', { A: "a'b", B: 'a"b', C: "it's", D: 'a"b c"d' }],
  ['A=""\nB=\'\'\nC=\nD= ', { A: '', B: '', C: '', D: '' }],
  ['A=x=y z\nB==\nC: 1\nD : x=2', { A: 'x=y z', B: '=', C: '1', D: 'x=2' }],
  ['A=1\r\nB="x"\r\n', { A: '1', B: 'x' }],
  ['\ufeffA=1', { A: '1' }],
  ['A=1\nA=2', { A: '2' }],
  ['A={"a":"b"}\nB=(1 2)\nC=`d`\nD=1;E=2', { A: '{"a":"b"}', B: '(1 2)', C: '`d`', D: '1;E=2' }],
  [
    'B=1\nA=$B\nC="${B}x"\nD=\'${B}\'\nE="\\$B"\nF=\\$B',
    { B: '1', A: '1', C: '1x', D: '${B}', E: '$B', F: '\\1' },
  ],
  ['B=1\nA=${B:-c}${C:-d}${C-e}${B:+f}', { B: '1', A: '1def' }],
  ['A="$\\$$x"', { A: '$$x' }],
  ['B=1\nA=${C:-${B}}${C:-{}}${B:?no}${B?no}${C:-${D:-$B}}', { B: '1', A: '1{}111' }],
  ['A=$$\nB=a$\nC=a$1\nD=$(x)\nE="$$x"', { A: '$', B: 'a$', C: 'a$1', D: '$(x)', E: '$x' }],
]

test.each(asCompose)('reads %j as Docker Compose does', (text, values) => {
  expect(read(text)).toEqual(values)
  expect(readDotenv(text).problems).toEqual([])
})

describe('the rules for lines', () => {
  test('hold: an entry per line, split at the first equals sign, trimmed, without empty keys', () => {
    const plain = fc.stringMatching(/^[\w ./?&@=-]{0,20}$/)
    const byRule = (text: string) =>
      text.split('\n').flatMap((line) => {
        if (line.trim() === '') return []
        const [key = ''] = line.split('=', 1)
        const value = line.slice(key.length + 1).trim()
        return key.trim() === '' ? [] : [{ key: key.trim(), value }]
      })
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 8 }), (lines) => {
        const text = lines.filter((line) => !/^\s*export\s/.test(line)).join('\n')
        expect(readVariables(text)).toEqual(byRule(text))
      }),
    )
  })

  test('keep a reference to a variable that the text does not set', () => {
    expect(read('A=pa$word\nB="${HOST}/${A}"\nHOST=x')).toEqual({
      A: 'pa$word',
      B: '${HOST}/pa$word',
      HOST: 'x',
    })
  })

  test('count lines, and tell what was dropped or replaced', () => {
    const { entries, nameless, hasComments } = readDotenv('#\nA="1\n2"\nB\n=x\nC=$A')
    expect(entries.map(({ key, line, isBare, replaced }) => [key, line, isBare, replaced])).toEqual([
      ['A', 2, false, []],
      ['B', 4, true, []],
      ['C', 6, false, ['$A']],
    ])
    expect([nameless, hasComments]).toEqual([[5], true])
  })
})

test.each([
  ['A=1\nB="x\nC=2', 'Line 2: The closing quote is missing.'],
  ["A='x\\'\nB=1", 'Line 1: The closing quote is missing.'],
  [`A='it'"'"'s'`, 'Line 1: There is text after the closing quote.'],
  ['A="x\ny" B=2', 'Line 1: There is text after the closing quote.'],
])('refuses %j', (text, problem) => {
  expect(readDotenv(text).problems.map(({ line, message }) => `Line ${line}: ${message}`)).toEqual([problem])
})

test('reads exactly what it wrote, with an entry per line', () => {
  const key = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/)
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc
      .array(fc.constantFrom(...`"'\\$#={}:\n\r\t xA`.split('')), { maxLength: 12 })
      .map((all) => all.join('')),
  )
  const pairs = fc.array(fc.record({ key, value }), { maxLength: 6 })
  fc.assert(
    fc.property(pairs, (given) => {
      const text = writeVariables(given)
      expect(readVariables(text)).toEqual(given)
      expect(text.split('\n')).toHaveLength(Math.max(given.length, 1))
    }),
  )
})

test('reads any text quickly, and does not let references grow without bound', () => {
  const took = cpuTimeOf(() => {
    for (const line of ['A="', "A='x", 'A="\\', 'A=$A$A', '# ', 'export ', '='])
      readDotenv(`${line}\n`.repeat(4_999))
    readDotenv('\\"'.repeat(200_000))
    const references = Array.from({ length: 30_000 }, (_, n) => `\${B:-\\t${n}}`)
    readDotenv(`A="${references.join('')}"`)
  })
  expect(took).toBeLessThan(5_000)
  const bomb = `A=${'x'.repeat(1_000)}\n${'A=$A$A$A$A\n'.repeat(50)}`
  const { problems, entries } = readDotenv(bomb)
  expect(problems).toEqual([{ line: 1, message: expect.stringContaining('too long') }])
  expect(Math.max(...entries.map(({ value }) => value.length))).toBeLessThan(5_000_000)
})
