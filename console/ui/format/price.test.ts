import { expect, it } from 'vitest'
import { priceInWords } from './price.ts'

it.each([
  [4.51, 'EUR', '€4.51'],
  [24, 'USD', '$24.00'],
  [1_234.5, 'USD', '$1,234.50'],
])('%d %s is %s', (monthly, currency, words) => {
  expect(priceInWords({ monthly, currency })).toBe(words)
})
