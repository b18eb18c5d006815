import { expect, it } from 'vitest'
import { inviteToken } from './invite-token.ts'

it('extracts the token from a pasted link', () => {
  expect(inviteToken('https://slipway.example/join-workspace?token=abc123')).toBe('abc123')
})

it('accepts a bare token', () => {
  expect(inviteToken('abc123')).toBe('abc123')
})

it('keeps a link without a token, so that the server reports the error', () => {
  expect(inviteToken('https://slipway.example/')).toBe('https://slipway.example/')
})
