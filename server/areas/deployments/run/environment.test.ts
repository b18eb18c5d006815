import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { contentsOf, withoutValues } from './environment.ts'

const env = [
  { key: 'A', value: 'topsecret' },
  { key: 'B', value: 'say "hello"' },
  { key: 'C', value: 'first line\r\nsecond line\n' },
  { key: 'D', value: 'on' },
]

test('no value is told, not in quotes nor line by line, and a short one is a word', () => {
  expect(withoutValues("invalid size: 'topsecret'", env)).toBe("invalid size: '•••'")
  expect(withoutValues('parsing "say \\"hello\\"" on it', env)).toBe('parsing "•••" on it')
  expect(withoutValues('#1 second line', env)).toBe('#1 •••')
})

test('what secrets and configs hold is not told either', () => {
  const model = modelOf(
    { web: { secrets: [{ source: 'key' }], configs: [{ source: 'key' }] } },
    { secrets: { key: { environment: 'KEY' } }, configs: { key: { content: 'of a config' } } },
    { KEY: 'of a secret' },
  )
  expect(withoutValues('of a secret, of a config', contentsOf(model))).toBe('•••, •••')
})
