import { amountIn } from './prices.ts'
import type { Customer, InvoiceLine, Period, Recurring, Subscription, SubscriptionItem } from './records.ts'
import { getById, newId, type State } from './state.ts'

/** The end of the period that contains `at`, counted from the anchor: the 31st becomes the last day of a shorter month. */
export function periodEnd(anchor: number, { interval, interval_count }: Recurring, at: number): number {
  for (let count = 1; ; count++) {
    const end = addIntervals(anchor, interval, count * interval_count)
    if (end > at) return end
  }
}

function addIntervals(anchor: number, interval: Recurring['interval'], count: number): number {
  const date = new Date(anchor * 1000)
  const month = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  date.setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** Percentages of the countries in which tax is collected. */
const taxRates: Record<string, number> = { AT: 20, DE: 19, ES: 21, FR: 20, GB: 20, IT: 22, NL: 21 }

/** A business with a tax ID pays none: the reverse charge applies. */
export const taxPercentOf = ({ address, taxId }: Customer): number =>
  taxId === undefined ? (taxRates[address?.country ?? ''] ?? 0) : 0

export function totalsOf(customer: Customer, lines: InvoiceLine[], isTaxed: boolean) {
  const taxPercent = isTaxed ? taxPercentOf(customer) : 0
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = Math.round((subtotal * taxPercent) / 100)
  return { taxPercent, subtotal, tax, total: subtotal + tax }
}

/** Smaller amounts are not charged but added to the customer's balance. */
const minimumCharge = 50

/** The amount due after the customer's balance is applied, and the balance that remains. */
export function applyBalance(total: number, balance: number) {
  const remaining = total + balance
  return remaining < minimumCharge
    ? { amount_due: 0, ending_balance: remaining }
    : { amount_due: remaining, ending_balance: 0 }
}

export const formatAmount = (cents: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)

export const recurringOf = ({ prices }: State, [first]: SubscriptionItem[]): Recurring =>
  getById(prices, first?.price ?? '').recurring

/** Cost of a change of items, and when it is due. */
export interface PlannedChange {
  items: SubscriptionItem[]
  /** Credits and charges. */
  lines: InvoiceLine[]
  /** Whether the lines are invoiced at once and not with the next invoice. */
  isInvoicedNow: boolean
  /** The period that begins now, if the interval changes. */
  period: Period | undefined
}

export function planChange(
  state: State,
  subscription: Subscription,
  items: SubscriptionItem[],
  behavior = 'create_prorations',
): PlannedChange {
  if (subscription.status === 'trialing') return { items, lines: [], isInvoicedNow: false, period: undefined }
  const now = state.now()
  const { current_period_start: start, current_period_end: end } = subscription
  const isSame = (a: SubscriptionItem, b: SubscriptionItem) => a.id === b.id && a.price === b.price
  const removed = subscription.items.filter((item) => !items.some((other) => isSame(item, other)))
  const added = items.filter((item) => !subscription.items.some((other) => isSame(item, other)))
  const rest = (end - now) / (end - start)
  const prorate = (changed: SubscriptionItem[], share: number) =>
    behavior === 'none'
      ? []
      : changed.map((item) => proratedLine(state, subscription, item, { start: now, end }, share))
  const credits = prorate(removed, -rest)
  const before = recurringOf(state, subscription.items)
  const recurring = recurringOf(state, items)
  if (before.interval !== recurring.interval || before.interval_count !== recurring.interval_count) {
    const period = { start: now, end: periodEnd(now, recurring, now) }
    const lines = [...credits, ...items.map((item) => fullLine(state, subscription.currency, item, period))]
    return { items, lines, isInvoicedNow: true, period }
  }
  const lines = [...credits, ...prorate(added, rest)]
  const isInvoicedNow = behavior === 'always_invoice' && lines.length > 0
  return { items, lines, isInvoicedNow, period: undefined }
}

/** A share of the amount by the second, in whole cents; a negative share is a credit. */
function proratedLine(
  state: State,
  { currency }: Subscription,
  item: SubscriptionItem,
  period: Period,
  share: number,
): InvoiceLine {
  const line = fullLine(state, currency, item, period)
  const amount = Math.sign(share) * Math.round(line.amount * Math.abs(share))
  const description = `${share < 0 ? 'Unused' : 'Remaining'} time on ${line.description}`
  // JSON has no negative zero.
  return { ...line, amount: amount === 0 ? 0 : amount, description, proration: true }
}

export function fullLine(
  state: State,
  currency: string,
  item: SubscriptionItem,
  period: Period,
): InvoiceLine {
  const price = getById(state.prices, item.price)
  const unitAmount = amountIn(price, currency)
  if (unitAmount === undefined) throw new Error(`The price ${price.id} is not sold in ${currency}.`)
  return {
    id: newId('il'),
    amount: unitAmount * item.quantity,
    description: `${item.quantity} × ${price.productName}`,
    period,
    price: price.id,
    quantity: item.quantity,
    proration: false,
    subscription_item: item.id,
  }
}
