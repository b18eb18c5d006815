/** Decimals of currencies where Stripe differs from ISO 4217. */
const digitsOf: Record<string, number> = { isk: 2, ugx: 2, mga: 0 }

/** Formats an amount in the smallest unit of its currency, as Stripe does: `€29.00`. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = digitsOf[currency.toLowerCase()] ?? format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

export const formatPrice = ({ monthly, currency }: { monthly: number; currency: string }): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(monthly)
