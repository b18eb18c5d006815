import { describe, expect, it } from 'vitest'
import { Failure, SessionOver, readFailure } from './failure.ts'

describe('readFailure', () => {
  it('says the sentence of a single error and keeps its code', () => {
    const failure = readFailure(404, { error: 'That server was not found.', code: 'not_found' })
    expect(failure.messages).toEqual(['That server was not found.'])
    expect(failure).toMatchObject({ status: 404, code: 'not_found', fields: {} })
  })

  it('says the first message of each invalid field', () => {
    const failure = readFailure(422, {
      errors: { email: ['Must be an email address.', 'Too long.'], name: ['Must not be empty.'] },
    })
    expect(failure.messages).toEqual(['Must be an email address.', 'Must not be empty.'])
    expect(failure.fields).toEqual({ email: 'Must be an email address.', name: 'Must not be empty.' })
  })

  it('says the same sentence of two fields once', () => {
    const failure = readFailure(422, { errors: { a: ['Must not be empty.'], b: ['Must not be empty.'] } })
    expect(failure.messages).toEqual(['Must not be empty.'])
    expect(Object.keys(failure.fields)).toEqual(['a', 'b'])
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
  ])('calls the error unknown when the answer is %j', (body) => {
    expect(readFailure(500, body).messages).toEqual(['An unknown error occurred.'])
  })
})

it('says nothing about a session that is over', () => {
  const over = new SessionOver()
  expect(over).toBeInstanceOf(Failure)
  expect(over.messages).toEqual([])
})
