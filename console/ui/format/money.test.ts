import { expect, test } from 'vitest'
import { moneyInWords } from './money.ts'

test('an amount is said in the currency that it is in', () => {
  expect(moneyInWords(2900, 'eur')).toBe('€29.00')
  expect(moneyInWords(2950, 'usd')).toBe('$29.50')
  expect(moneyInWords(0, 'eur')).toBe('€0.00')
  expect(moneyInWords(-550, 'eur')).toBe('-€5.50')
})

test('a currency without cents, or with thousandths, is counted so', () => {
  expect(moneyInWords(2900, 'jpy')).toBe('¥2,900')
  expect(moneyInWords(2900, 'kwd').replaceAll(/\s/g, ' ')).toBe('KWD 2.900')
  expect(moneyInWords(290_000, 'isk').replaceAll(/\s/g, ' ')).toBe('ISK 2,900')
})
