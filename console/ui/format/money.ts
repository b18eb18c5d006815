/** Where Stripe counts otherwise than the standard does. */
const digitsOf: Record<string, number> = { isk: 2, ugx: 2, mga: 0 }

/** "€29.00", of an amount in the currency's smallest unit. */
export function moneyInWords(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = digitsOf[currency.toLowerCase()] ?? format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
