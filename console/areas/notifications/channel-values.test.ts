import { expect, test } from 'vitest'
import { fieldRules, generateSecret, initialValues, readSettings } from './channel-values.ts'
import type { ChannelField } from './queries.ts'

const field = (name: string, given: Partial<ChannelField> = {}): ChannelField => ({
  name,
  label: name,
  help: '',
  type: 'text',
  required: true,
  placeholder: '',
  choices: [],
  default: '',
  ...given,
})

const type = {
  fields: [
    field('url', { default: 'https://ntfy.sh' }),
    field('topic'),
    field('secret', { type: 'secret' }),
    field('token', { type: 'secret', required: false }),
  ],
}
const known = { url: 'https://ntfy.example.com', topic: 'alarm', secret: null, token: null }

test('starts with defaults and sends all fields', () => {
  const values = { ...initialValues(type), 'settings.topic': 'alarm', 'settings.secret': 'hush' }
  expect(readSettings(type, values)).toEqual({
    url: 'https://ntfy.sh',
    topic: 'alarm',
    secret: 'hush',
    token: '',
  })
  expect(fieldRules(type)).toMatchObject({ 'settings.secret': 'required', 'settings.token': 'optional' })
})

test('neither shows nor asks for a stored secret, and keeps it unless replaced', () => {
  const values = initialValues(type, known)
  expect(values).toMatchObject({ 'settings.url': 'https://ntfy.example.com', 'settings.secret': '' })
  expect(fieldRules(type, known)).toMatchObject({ 'settings.secret': 'optional' })
  expect(readSettings(type, values, known)).toEqual({ url: 'https://ntfy.example.com', topic: 'alarm' })
  expect(readSettings(type, { ...values, 'settings.secret': 'another' }, known)).toMatchObject({
    secret: 'another',
  })
})

test('removes an optional secret', () => {
  const values = { ...initialValues(type, known), 'forget.token': 'yes' }
  expect(readSettings(type, values, known)).toEqual({
    url: 'https://ntfy.example.com',
    topic: 'alarm',
    token: '',
  })
})

test('generates 32 random bytes in base64', () => {
  const [one, other] = [generateSecret(), generateSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(other).not.toBe(one)
})
