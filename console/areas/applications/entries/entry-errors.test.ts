import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/http/api-error.ts'
import { toTextError } from './entry-errors.ts'

const refused = (fields: Record<string, string>) =>
  new ApiError({ messages: Object.values(fields), fields, status: 422 })

test('names the rejected entry of a text', () => {
  const error = refused({ 'env.1.key': 'Must begin with a letter.' })
  expect(toTextError(error, 'env', ['PORT', '9 LIVES'])).toMatchObject({
    fields: { env: '“9 LIVES”: Must begin with a letter.' },
    messages: ['“9 LIVES”: Must begin with a letter.'],
  })
})

test('names the part, counts more errors and shortens long entries', () => {
  const error = refused({ 'ports.0.target': 'Must be a port.', 'ports.1.source': 'Is taken.' })
  expect(toTextError(error, 'ports', ['x'.repeat(70), '80:80'])).toMatchObject({
    fields: { ports: `“${'x'.repeat(60)}…”, container side: Must be a port. (1 more)` },
  })
})

test('numbers an entry without a name', () => {
  expect(toTextError(refused({ 'command.1': 'Must not be empty.' }), 'command', ['a', ' '])).toMatchObject({
    fields: { command: 'Entry 2: Must not be empty.' },
  })
})

test('keeps errors of the whole text and of other fields', () => {
  expect(toTextError(refused({ env: 'Must have at most 500 entries.' }), 'env', ['A'])).toMatchObject({
    fields: { env: 'Must have at most 500 entries.' },
  })
  const other = refused({ name: 'Must not be empty.' })
  expect(toTextError(other, 'env', ['A'])).toBe(other)
})
