import { describe, expect, test } from 'vitest'
import { labels, mount, ports, variables, volumes } from './application-fields.ts'
import { readMappings, readPairs, writeMappings } from './entries.ts'
import { cpuTimeOf } from '../../test/support/run/cpu-time.ts'

describe('text with one entry per line', () => {
  test('is split at the first equals sign, trimmed, without blank lines and lines without a key', () => {
    const text = 'A=1\r\n\n  B = two = 2  \n=lost\n   \nC\nD=\n'
    expect(readPairs(text)).toEqual([
      { key: 'A', value: '1' },
      { key: 'B', value: 'two = 2' },
      { key: 'C', value: '' },
      { key: 'D', value: '' },
    ])
  })

  test('is split at the first colon into source and target', () => {
    expect(readMappings(' 80 : 8080 \n\ndata:/data\n/srv/a:/b:c\n443')).toEqual([
      { source: '80', target: '8080' },
      { source: 'data', target: '/data' },
      { source: '/srv/a', target: '/b:c' },
      { source: '443', target: '' },
    ])
  })

  test('reads back as it was written', () => {
    const mappings = [{ source: '5432', target: '5432' }]
    expect(readMappings(writeMappings(mappings))).toEqual(mappings)
  })

  test('equals the corresponding list', () => {
    expect(variables.parse('A=1\nB=2\nA=3')).toEqual([
      { key: 'A', value: '3' },
      { key: 'B', value: '2' },
    ])
    expect(variables.parse('# old\nexport A="1"\nB=\'two\nlines\' # new')).toEqual([
      { key: 'A', value: '1' },
      { key: 'B', value: 'two\nlines' },
    ])
    expect(labels.parse('team="web"')).toEqual([{ key: 'team', value: '"web"' }])
    expect(labels.parse('team=web')).toEqual(labels.parse([{ key: 'team', value: 'web' }]))
    expect(ports.parse('5432:5433')).toEqual([{ source: 5432, target: 5433 }])
    expect(volumes.parse('data:/data/')).toEqual([{ source: 'data', target: '/data' }])
  })
})

test('is refused when too long or with control characters', () => {
  const problemOf = (given: unknown) => variables.safeParse(given).error?.issues.map(({ message }) => message)
  const tooLong = ['Must have at most 5,000 lines and 400,000 characters.']
  expect(problemOf('A=1\n'.repeat(5_000))).toEqual(tooLong)
  expect(problemOf(`A=${'x'.repeat(400_000)}`)).toEqual(tooLong)
  expect(problemOf('A=1\n'.repeat(4_999))).toEqual(['Must have at most 500 entries.'])
  expect(problemOf('A=\u0000')).toEqual(['Must not contain control characters.'])
  expect(problemOf('A=1\nB="x\nC=2')).toEqual(['Line 2: The closing quote is missing.'])
  expect(problemOf('A="x"y')).toEqual(['Line 1: There is text after the closing quote.'])
  expect(problemOf(7)).toEqual(['Must be a list, or text with one entry per line.'])
})

test('refuses an invalid path quickly', () => {
  const path = { source: `/${'a'.repeat(900)}:`, target: `/${'b/'.repeat(400)}:` }
  const took = cpuTimeOf(() => expect(mount.safeParse(path).success).toBe(false))
  expect(took).toBeLessThan(2_000)
})
