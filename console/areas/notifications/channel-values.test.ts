import { expect, test } from 'vitest'
import { fieldRules, initialValues, readSettings } from './channel-values.ts'
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

test('a new channel begins with what is usual, and sends all of its fields', () => {
  const values = { ...initialValues(type), 'settings.topic': 'alarm', 'settings.secret': 'hush' }
  expect(readSettings(type, values)).toEqual({
    url: 'https://ntfy.sh',
    topic: 'alarm',
    secret: 'hush',
    token: '',
  })
  expect(fieldRules(type)).toMatchObject({ 'settings.secret': 'required', 'settings.token': 'optional' })
})

test('a secret that is set is neither shown nor asked for, and stays where nobody types another', () => {
  const values = initialValues(type, known)
  expect(values).toMatchObject({ 'settings.url': 'https://ntfy.example.com', 'settings.secret': '' })
  expect(fieldRules(type, known)).toMatchObject({ 'settings.secret': 'optional' })
  expect(readSettings(type, values, known)).toEqual({ url: 'https://ntfy.example.com', topic: 'alarm' })
  expect(readSettings(type, { ...values, 'settings.secret': 'another' }, known)).toMatchObject({
    secret: 'another',
  })
})

test('a secret that is not needed can be removed', () => {
  const values = { ...initialValues(type, known), 'forget.token': 'yes' }
  expect(readSettings(type, values, known)).toEqual({
    url: 'https://ntfy.example.com',
    topic: 'alarm',
    token: '',
  })
})
