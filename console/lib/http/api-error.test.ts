import { describe, expect, it } from 'vitest'
import { ApiError, SessionEnded, readApiError } from './api-error.ts'

describe('readApiError', () => {
  it('returns the message and code of a single error', () => {
    const failure = readApiError(404, { error: 'That server was not found.', code: 'not_found' })
    expect(failure.messages).toEqual(['That server was not found.'])
    expect(failure).toMatchObject({ status: 404, code: 'not_found', fields: {} })
  })

  it('keeps the URL that helps to resolve the error', () => {
    const url = 'https://slipway.example/dashboard/billing/choose-plan'
    expect(readApiError(402, { error: 'The trial has ended.', code: 'no_plan', url }).url).toBe(url)
    expect(readApiError(402, { error: 'The trial has ended.', url: 7 }).url).toBeUndefined()
  })

  it('returns the first message of each invalid field', () => {
    const failure = readApiError(422, {
      errors: { email: ['Must be an email address.', 'Too long.'], name: ['Must not be empty.'] },
    })
    expect(failure.messages).toEqual(['Email: Must be an email address.', 'Name: Must not be empty.'])
    expect(failure.fields).toEqual({ email: 'Must be an email address.', name: 'Must not be empty.' })
  })

  it('prefixes incomplete messages with their field and removes duplicates', () => {
    const failure = readApiError(422, {
      errors: {
        'domains.2.host': ['Must be a domain.'],
        cpu_limit: ['Must be at most 2.'],
        stop_within: ['Is required.'],
        a: ['This name is taken.'],
        b: ['This name is taken.'],
      },
    })
    expect(failure.messages).toEqual([
      'Domains, entry 3: Must be a domain.',
      'CPU: Must be at most 2.',
      'Stop within: Is required.',
      'This name is taken.',
    ])
    expect(failure.fields).toMatchObject({ cpu_limit: 'Must be at most 2.', b: 'This name is taken.' })
  })

  it.each([
    undefined,
    null,
    'Bad gateway',
    7,
    [],
    {},
    { error: '' },
    { error: 7 },
    { errors: {} },
    { errors: { a: [] } },
  ])('reports an unknown error for the response %j', (body) => {
    expect(readApiError(500, body).messages).toEqual(['An unknown error occurred.'])
  })
})

it('shows no message for an expired session', () => {
  const over = new SessionEnded()
  expect(over).toBeInstanceOf(ApiError)
  expect(over.messages).toEqual([])
})
