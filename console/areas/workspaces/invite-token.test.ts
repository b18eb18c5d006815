import { expect, it } from 'vitest'
import { inviteToken } from './invite-token.ts'

it('takes the token out of a pasted link', () => {
  expect(inviteToken('https://slipway.example/join-workspace?token=abc123')).toBe('abc123')
})

it('takes a bare token as it is', () => {
  expect(inviteToken('abc123')).toBe('abc123')
})

it('leaves a link without a token alone, so that the server says what is wrong', () => {
  expect(inviteToken('https://slipway.example/')).toBe('https://slipway.example/')
})
