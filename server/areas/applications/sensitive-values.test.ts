import { expect, test } from 'vitest'
import { indexValues, maskValues, type SensitiveConfig, withheldText } from './sensitive-values.ts'

const envOf = (...values: string[]): SensitiveConfig => ({
  config: null,
  env: values.map((value, at) => ({ key: `K${at}`, value })),
  compose: null,
})
const mask = (text: string, ...configurations: SensitiveConfig[]) =>
  maskValues(text, configurations.map(indexValues))

test('masks the shortest of 20,000 values', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `${at} is a much longer value`)
  expect(mask('Log-in with hunter22 failed.', envOf(...many, 'hunter22'))).toBe('Log-in with ••• failed.')
})

test('masks values of all configurations and overlapping values completely', () => {
  const [one, other] = [envOf('alpha-beta', 'alpha-'), envOf('beta-gamma')]
  expect(mask('It said alpha-beta-gamma, then alpha-.', one, other)).toBe('It said •••, then •••.')
})

test('masks values at both ends of a text, JSON-quoted and line by line', () => {
  const env = envOf('first"line\nsecond line')
  expect(mask('second line: first\\"line\\nsecond line', env)).toBe('•••: •••')
  expect(mask('second line', env)).toBe('•••')
})

test('does not mask values that match ordinary words', () => {
  expect(mask('The port 8080 is used.', envOf('8080', 'used'))).toBe('The port 8080 is used.')
})

test('masks commands, labels and arguments of a compose file, and not its images', () => {
  const compose = [
    'services:',
    '  web:',
    '    image: registry.example.com/web:1',
    '    command: serve --key=k3y-value',
    '    labels: { token: "l4bel-\\u0076alue" }',
    '    build: { args: [TOKEN=arg-v4lue] }',
  ].join('\n')
  const text = 'registry.example.com/web:1 had k3y-value, l4bel-value and arg-v4lue.'
  expect(mask(text, { ...envOf(), compose })).toBe('registry.example.com/web:1 had •••, ••• and •••.')
})

test('withholds a text that takes too long to search', () => {
  const alike = envOf(...Array.from({ length: 600 }, (_, at) => `${'a'.repeat(at + 6)}b`))
  expect(mask('a'.repeat(1_000), alike)).toBe(withheldText)
  expect(mask('b'.repeat(200_001), envOf('secret'))).toBe(withheldText)
  expect(withheldText).toMatch(/^Hidden: /)
})
