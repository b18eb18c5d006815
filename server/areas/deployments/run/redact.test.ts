import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { maskEnvironmentValues, redactOutput, secretContents } from './redact.ts'

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

test('masks a value of a build that a line of Slipway interrupts', async () => {
  const pieces = [
    ['build', 'key: top'],
    ['slipway', 'Reconnected\n'],
    ['build', 'secret\n'],
  ] as const
  async function* output() {
    for (const [index, [origin, text]] of pieces.entries())
      yield {
        id: String(index),
        data: { type: 'output' as const, stream: 'stdout' as const, origin, text, at: '' },
      }
  }
  const seen: unknown[] = []
  for await (const { data } of redactOutput(output(), (text) => maskEnvironmentValues(text, env)))
    if (data.type === 'output') seen.push([data.origin, data.text])
  expect(seen).toEqual([
    ['slipway', 'Reconnected\n'],
    ['build', 'key: •••\n'],
  ])
})
