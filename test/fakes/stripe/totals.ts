import type { Customer, Line } from './records.ts'

/** Percent, of those countries in which tax is collected. */
const percents: Record<string, number> = { AT: 20, DE: 19, ES: 21, FR: 20, GB: 20, IT: 22, NL: 21 }

/** A business with a tax number accounts for it itself. */
export const taxPercentOf = ({ address, taxId }: Pick<Customer, 'address' | 'taxId'>): number =>
  taxId === undefined ? (percents[address?.country ?? ''] ?? 0) : 0

export function totalsOf(customer: Pick<Customer, 'address' | 'taxId'>, lines: Line[], isTaxed: boolean) {
  const taxPercent = isTaxed ? taxPercentOf(customer) : 0
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = Math.round((subtotal * taxPercent) / 100)
  return { taxPercent, subtotal, tax, total: subtotal + tax }
}

/** Less than this is not charged but waits for the next invoice. */
const leastCharge = 50

/** What is to be paid of it, with the credit or the debt that the customer has, and what is then left of that. */
export function settle(total: number, balance: number): { amount_due: number; ending_balance: number } {
  const left = total + balance
  if (left < leastCharge) return { amount_due: 0, ending_balance: left }
  return { amount_due: left, ending_balance: 0 }
}

export const money = (cents: number, currency = 'usd') =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
