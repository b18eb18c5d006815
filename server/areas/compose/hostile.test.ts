import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../test/support/run/campaign.ts'
import { maxComposeLength } from '../../../contract/shared/compose-limits.ts'
import composeSpec from '../../../contract/shared/compose-spec.json' with { type: 'json' }
import { composeChanges } from './compose-changes.ts'
import { validateComposeFile } from './check/validate-compose-file.ts'

const most = maxComposeLength
const given = { env: [{ key: 'BIG', value: 'x'.repeat(65_000) }], profiles: [] }
const good = 'services:\n  web:\n    image: nginx\n'
const fill = (text: string) => text.repeat(Math.floor((most - 100) / text.length))
const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

const files: Record<string, string> = {
  'a billion laughs': `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${many(9, (at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`)}${good}`,
  'merges of merges': `x-0: &a0 {k: v}\n${many(400, (at) => `x-${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}], k${at}: v}\n`)}${good}`,
  'anchors by the thousand': many(20_000, (at) => `x-${at}: &a${at} v\n`) + good,
  'aliases by the thousand': `x-a: &a v\nx-l: [${'*a,'.repeat(12_000)}]\n${good}`,
  'a circle of anchors': `x-a: &a {b: &b {c: *a, d: *b}}\n${good}`,
  'lists in lists': '['.repeat(most),
  'mappings in mappings': '{a: '.repeat(most / 4),
  'entries in entries': '- '.repeat(most / 2),
  'keys in keys': '? '.repeat(most / 2),
  'one long line': `${good}    command: ${'x '.repeat(most / 2 - 50)}`,
  'a long text in quotes': `${good}    command: "${'x\\n'.repeat(most / 3 - 50)}"`,
  'a long folded text': `${good}    command: >\n${fill('     x\n')}`,
  'a hundred thousand keys': fill('a: 1\n'),
  'nothing but brackets': fill('{}\n'),
  'nothing but tags': '! '.repeat(most / 2),
  'nothing but anchors': '& '.repeat(most / 2),
  'nothing but line breaks': '\n'.repeat(most),
  'nothing but documents': fill('---\n'),
  'nothing but variables': `${good}    command: ${'$A'.repeat(most / 2 - 50)}`,
  'variables in variables': `${good}    command: ${'${A:-'.repeat(most / 6)}`,
  'variables that add up': `${good}    command: ${'$BIG'.repeat(most / 5)}`,
  'ranges of ports': `${good}    ports:\n${many(6_000, () => '      - "1-60000:1-60000"\n')}`,
  'a long length of time': `${good}    stop_grace_period: ${'1s'.repeat(most / 2 - 50)}x`,
  'a long size': `${good}    mem_limit: "${'1'.repeat(most - 60)}x"`,
  'a long command in brackets': `${good}    command: [\n${fill('x,\n')}`,
  'a long number': `${good}    cpus: "${'1'.repeat(most - 60)}x"\n`,
  'a long image': `services: {web: {image: ${'a-'.repeat(most / 2 - 50)}}}`,
  'a circle of many services': `services:\n${many(190, (at) => `  s${at}: {image: a, depends_on: [s${(at + 1) % 190}]}\n`)}`,
  'more services than anybody has': `services:\n${many(1_500, (at) => `  s${at}: {image: a}\n`)}`,
}

/** Measures CPU time, because other processes share the machine. */
function secondsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

test.each(Object.entries(files))('answers %s quickly', (_, text) => {
  const check = () =>
    expect(validateComposeFile(text.slice(0, most), given).problems.length).toBeLessThanOrEqual(100)
  // The second run counts, because the first may include compilation.
  const seconds = secondsOf(check)
  expect(seconds < 0.5 ? seconds : secondsOf(check)).toBeLessThan(1)
})

test('reports exceeded limits in a sentence', () => {
  const [laughs, deep, circle] = ['a billion laughs', 'lists in lists', 'a circle of anchors'].map(
    (name) => validateComposeFile(files[name] ?? '', given).problems[0]?.message,
  )
  expect(laughs).toBe('The file is too large: its aliases expand to more than 100,000 values.')
  expect(deep).toBe('Nested too deeply.')
  expect(circle).toBe('The alias *a contains itself.')
  expect(validateComposeFile(files['a hundred thousand keys'] ?? '', given).problems[0]?.message).toContain(
    'The file is too long',
  )
  expect(validateComposeFile(files['more services than anybody has'] ?? '', given).problems[0]?.message).toBe(
    'The file has more than 200 services. Split it into several applications.',
  )
})

test.each(Object.keys(composeSpec.definitions.service.properties))('reports any value of %s', (key) => {
  for (const value of [
    '{}',
    '[{}]',
    '[[{}]]',
    '{a: {}}',
    '{a: [{}]}',
    '{test: [{}], ssh: [{}], args: {a: [{}]}}',
  ]) {
    const text = `${good}    ${key}: ${value}\n`
    expect(validateComposeFile(text, given).services).toHaveLength(1)
    expect(() => composeChanges(good, text)).not.toThrow()
  }
})

const words = fc.constantFrom(
  ...'services web db image ports volumes networks depends_on environment deploy'.split(' '),
  ...'<< __proto__ constructor toString ${A:-b} $ *a &a !x 1 null ~ " \' 8080:80 { } [ ] , | > # % -'.split(
    ' ',
  ),
  ...'\t/日本/\u202e/\ud800/\0/- /: '.split('/'),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.tuple(fc.constantFrom('', ' ', '  ', '    ', '\n', '\n  ', '\n    '), words), { maxLength: 60 })
    .map((all) => all.flat().join('')),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(words, tie('any'), { maxKeys: 5 }),
})).map

test('reports problems with a valid position for any input', () => {
  const check = (given_: string) => {
    const { problems, services } = validateComposeFile(given_, given)
    const lines = given_.split('\n').length
    for (const { line, column, end_line: end, message } of problems) {
      expect(line).toBeGreaterThanOrEqual(1)
      expect(column).toBeGreaterThanOrEqual(1)
      expect(end).toBeLessThanOrEqual(lines)
      expect(message).toMatch(/[.?]$/)
    }
    expect(services.length + problems.length).toBeGreaterThan(0)
  }
  fc.assert(fc.property(text, check), { numRuns: times(50, 400) })
  // JSON is valid YAML, so these files have arbitrary content without syntax errors.
  fc.assert(
    fc.property(value, (map) => check(JSON.stringify({ services: { web: map, db: map } }))),
    { numRuns: times(25, 200) },
  )
  fc.assert(
    fc.property(value, (map) => check(JSON.stringify(map))),
    { numRuns: times(25, 200) },
  )
})
