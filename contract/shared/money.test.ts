import { expect, test } from 'vitest'
import { formatMoney, formatPrice } from './money.ts'

test('formats an amount in its currency', () => {
  expect(formatMoney(2900, 'eur')).toBe('€29.00')
  expect(formatMoney(2950, 'usd')).toBe('$29.50')
  expect(formatMoney(0, 'eur')).toBe('€0.00')
  expect(formatMoney(-550, 'eur')).toBe('-€5.50')
})

test('supports currencies without or with three decimals', () => {
  expect(formatMoney(2900, 'jpy')).toBe('¥2,900')
  expect(formatMoney(2900, 'kwd').replaceAll(/\s/g, ' ')).toBe('KWD 2.900')
  expect(formatMoney(290_000, 'isk').replaceAll(/\s/g, ' ')).toBe('ISK 2,900')
})

test.each([
  [4.51, 'EUR', '€4.51'],
  [24, 'USD', '$24.00'],
  [1_234.5, 'USD', '$1,234.50'],
])('formats the price %d %s as %s', (monthly, currency, text) => {
  expect(formatPrice({ monthly, currency })).toBe(text)
})
