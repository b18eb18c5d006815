import { periodEnd } from './periods.ts'
import type { Item, Line, Price, Subscription } from './records.ts'
import { newId, type State } from './state.ts'
import { money } from './totals.ts'

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
