import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { maskEnvironmentValues, secretContents } from './redact.ts'

const env = [
  { key: 'A', value: 'topsecret' },
  { key: 'B', value: 'say "hello"' },
  { key: 'C', value: 'first line\r\nsecond line\n' },
  { key: 'D', value: 'on' },
]

test('masks values, quoted and line by line, except short ones', () => {
  expect(maskEnvironmentValues("invalid size: 'topsecret'", env)).toBe("invalid size: '•••'")
  expect(maskEnvironmentValues('parsing "say \\"hello\\"" on it', env)).toBe('parsing "•••" on it')
  expect(maskEnvironmentValues('#1 second line', env)).toBe('#1 •••')
})

test('masks the contents of secrets and configs', () => {
  const model = modelOf(
    { web: { secrets: [{ source: 'key' }], configs: [{ source: 'key' }] } },
    { secrets: { key: { environment: 'KEY' } }, configs: { key: { content: 'of a config' } } },
    { KEY: 'of a secret' },
  )
  expect(maskEnvironmentValues('of a secret, of a config', secretContents(model))).toBe('•••, •••')
})
