import type { Customer, Interval, Item, Line, Price, Subscription } from './records.ts'
import { newId, type State } from './state.ts'

export const day = 86_400

/** The end of the period that `at` lies in, counted from the anchor: the 31st becomes the last of a shorter month. */
export function periodEnd(
  anchor: number,
  { interval, interval_count }: { interval: Interval; interval_count: number },
  at: number,
): number {
  for (let count = 1; ; count++) {
    const end = after(anchor, interval, count * interval_count)
    if (end > at) return end
  }
}

function after(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * day
  if (interval === 'week') return anchor + count * 7 * day
  const from = new Date(anchor * 1000)
  const month = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(anchor * 1000)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last))
  return Math.floor(to.getTime() / 1000)
}

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

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none'

export interface Plan {
  items: Item[]
  /** Credits and charges that the change makes. */
  lines: Line[]
  /** Whether they are asked for at once rather than with the next invoice. */
  isInvoicedNow: boolean
  /** Undefined where it goes on. */
  period: { start: number; end: number } | undefined
}

export function priceOf({ prices }: State, id: string): Price {
  const found = prices.find((one) => one.id === id)
  if (!found) throw new Error(`There is no price ${id}.`)
  return found
}

export const rhythmOf = (state: State, [first]: Item[]) =>
  priceOf(state, first?.price ?? '').recurring ?? { interval: 'month' as const, interval_count: 1 }

/** Undefined where it is not sold in that currency. */
export const amountIn = ({ currency, unit_amount, currency_options }: Price, paidIn: string) =>
  paidIn === currency ? unit_amount : currency_options?.[paidIn]

type Paid = Pick<Subscription, 'currency'>

function eachOf(state: State, { currency }: Paid, { price }: Item): number {
  const amount = amountIn(priceOf(state, price), currency)
  if (amount === undefined) throw new Error(`The price ${price} is not sold in ${currency}.`)
  return amount
}

/** What becomes of a subscription, and what it costs, when its items change or its trial ends now. */
export function planChange(
  state: State,
  subscription: Subscription,
  items: Item[],
  { behavior, at, endsTrial }: { behavior: ProrationBehavior; at: number; endsTrial: boolean },
): Plan {
  const { current_period_start: start, current_period_end: end, status } = subscription
  const rhythm = rhythmOf(state, items)
  const begun = { start: at, end: periodEnd(at, rhythm, at) }
  if (endsTrial)
    return { items, lines: fullLines(state, subscription, items, begun), isInvoicedNow: true, period: begun }
  if (status === 'trialing') return { items, lines: [], isInvoicedNow: false, period: undefined }
  const isSame = (a: Item, b: Item) => a.price === b.price && a.quantity === b.quantity && a.id === b.id
  const left = subscription.items.filter((one) => !items.some((other) => isSame(one, other)))
  const come = items.filter((one) => !subscription.items.some((other) => isSame(one, other)))
  const rest = { start: at, end }
  const share = (end - at) / (end - start)
  const credits =
    behavior === 'none' ? [] : left.map((item) => prorated(state, subscription, item, rest, -share))
  const before = rhythmOf(state, subscription.items)
  if (before.interval !== rhythm.interval || before.interval_count !== rhythm.interval_count)
    return {
      items,
      lines: [...credits, ...fullLines(state, subscription, items, begun)],
      isInvoicedNow: true,
      period: begun,
    }
  const charges =
    behavior === 'none' ? [] : come.map((item) => prorated(state, subscription, item, rest, share))
  const lines = [...credits, ...charges]
  return {
    items,
    lines,
    isInvoicedNow: behavior === 'always_invoice' && lines.length > 0,
    period: undefined,
  }
}

/** The share of an amount by the second, in whole cents; below zero it is given back. */
export function prorated(
  state: State,
  paid: Paid,
  item: Item,
  period: { start: number; end: number },
  share: number,
): Line {
  const amount = Math.sign(share) * Math.round(eachOf(state, paid, item) * item.quantity * Math.abs(share))
  const on = new Date(period.start * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const what = share < 0 ? 'Unused time on' : 'Remaining time on'
  return lineOf(item, amount, `${what} ${nameOf(state, item)} after ${on}`, period, true)
}

export const fullLines = (
  state: State,
  paid: Paid,
  items: Item[],
  period: { start: number; end: number },
): Line[] =>
  items.map((item) => {
    const { recurring } = priceOf(state, item.price)
    const amount = eachOf(state, paid, item)
    const each = `at ${money(amount, paid.currency)} / ${recurring?.interval}`
    return lineOf(item, amount * item.quantity, `${item.quantity} × ${nameOf(state, item)} (${each})`, period)
  })

export const trialLines = (
  state: State,
  _paid: Paid,
  items: Item[],
  period: { start: number; end: number },
): Line[] =>
  items.map((item) => lineOf(item, 0, `Free trial for ${item.quantity} × ${nameOf(state, item)}`, period))

function lineOf(
  { id, price, quantity }: Item,
  amount: number,
  description: string,
  period: { start: number; end: number },
  proration = false,
): Line {
  // Zero below zero is no number that JSON knows.
  return { id: newId('il'), amount: amount || 0, description, price, quantity, period, proration, item: id }
}

export function nameOf(state: State, { price }: Pick<Item, 'price'>): string {
  const { product } = priceOf(state, price)
  return state.products.find(({ id }) => id === product)?.name ?? product
}
