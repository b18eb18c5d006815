import { Refusal } from './answer.ts'
import { showConfiguration, showLineItems } from './show-checkout.ts'
import { showCharge, showIntent, showInvoice, showInvoicePayment, showRefund } from './show-invoice.ts'
import {
  list,
  showCard,
  showCurrencyOptions,
  showCustomer,
  showPrice,
  showProduct,
  showSubscription,
} from './show.ts'
import type { State } from './state.ts'

/** What can be written out in each kind of thing, and what kind it then is. */
const expandable: Record<string, Record<string, string>> = {
  customer: { subscriptions: 'subscriptions', 'invoice_settings.default_payment_method': 'payment_method' },
  price: { product: 'product', currency_options: 'currency_options' },
  subscription: {
    customer: 'customer',
    latest_invoice: 'invoice',
    default_payment_method: 'payment_method',
    'items.data.price.product': 'product',
  },
  invoice: {
    customer: 'customer',
    payments: 'payments',
    'parent.subscription_details.subscription': 'subscription',
    'lines.data.pricing.price_details.price': 'price',
  },
  payments: { 'data.payment.payment_intent': 'payment_intent' },
  subscriptions: {},
  line_items: { 'data.price.product': 'product' },
  invoice_payment: { invoice: 'invoice', 'payment.payment_intent': 'payment_intent' },
  payment_intent: { customer: 'customer', latest_charge: 'charge', payment_method: 'payment_method' },
  charge: { customer: 'customer', payment_intent: 'payment_intent', refunds: 'refunds' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  refunds: {},
  'checkout.session': {
    customer: 'customer',
    subscription: 'subscription',
    invoice: 'invoice',
    line_items: 'line_items',
  },
  'billing_portal.session': { configuration: 'billing_portal.configuration' },
}

interface Step {
  field: string
  to: string
  rest: string
}

function step(kind: string, path: string): Step | undefined {
  for (const [field, to] of Object.entries(expandable[kind] ?? {})) {
    if (path === field) return { field, to, rest: '' }
    if (path.startsWith(`${field}.`)) return { field, to, rest: path.slice(field.length + 1) }
  }
  return undefined
}

/** Refused before anything is done. */
export function checkExpand(of: string, paths: string[]) {
  for (const path of paths) {
    const isList = of.startsWith('list ')
    if (path.split('.').length > (isList ? 5 : 4)) throw refused(path)
    let [kind, rest] = [of.replace('list ', ''), isList ? path.replace(/^data\./, '') : path]
    if (isList && !path.startsWith('data.')) throw refused(path)
    while (rest !== '') {
      const next = step(kind, rest)
      if (!next) throw refused(path)
      ;({ to: kind, rest } = next)
    }
  }
}

const refused = (path: string) =>
  new Refusal(400, { message: `This property cannot be expanded (${path}).` }, true)

export function expandAll(state: State, of: string, paths: string[], shown: object): object {
  for (const path of paths) {
    if (of.startsWith('list ') && 'data' in shown && Array.isArray(shown.data))
      for (const one of shown.data) expand(state, of.replace('list ', ''), path.replace(/^data\./, ''), one)
    else expand(state, of, path, shown)
  }
  return shown
}

function expand(state: State, kind: string, path: string, shown: unknown) {
  const next = step(kind, path)
  if (!next || !isRecord(shown)) return
  const { field, to, rest } = next
  for (const [holder, name] of holders([shown], field.split('.'))) {
    const value = holder[name]
    if (typeof value === 'string') holder[name] = load[to]?.(state, value) ?? value
    else if (value === undefined) holder[name] = load[to]?.(state, String(shown['id']))
    if (rest !== '') expand(state, to, rest, holder[name])
  }
}

type Shown = Record<string, unknown>
const isRecord = (value: unknown): value is Shown => typeof value === 'object' && value !== null

/** The objects whose field it is; lists are gone through. */
function holders(at: Shown[], [name = '', ...rest]: string[]): [Shown, string][] {
  if (rest.length === 0) return at.map((one) => [one, name])
  const below = at.flatMap((one) => (Array.isArray(one[name]) ? one[name] : [one[name]])).filter(isRecord)
  return holders(below, rest)
}

const byId = <T extends { id: string }>(all: T[], id: string) => all.find((one) => one.id === id)
const shownIf = <T>(found: T | undefined, show: (one: T) => object) => found && show(found)

const load: Record<string, (state: State, id: string) => object | undefined> = {
  customer: (state, id) => shownIf(byId(state.customers, id), showCustomer),
  product: (state, id) => shownIf(byId(state.products, id), showProduct),
  price: (state, id) => shownIf(byId(state.prices, id), showPrice),
  currency_options: (state, id) => shownIf(byId(state.prices, id), showCurrencyOptions),
  subscription: (state, id) => shownIf(byId(state.subscriptions, id), (one) => showSubscription(state, one)),
  invoice: (state, id) => shownIf(byId(state.invoices, id), (one) => showInvoice(state, one)),
  charge: (state, id) => shownIf(byId(state.charges, id), (one) => showCharge(state, one)),
  payment_intent: (state, id) => shownIf(byId(state.paymentIntents, id), showIntent),
  payment_method: (state, id) =>
    shownIf(
      state.customers.find(({ card }) => card?.id === id),
      (one) => (one.card ? showCard(one.card, one) : {}),
    ),
  payments: (state, id) =>
    list(
      `/v1/invoice_payments?invoice=${id}`,
      state.paymentIntents
        .filter(({ invoice }) => invoice === id)
        .map((one) => showInvoicePayment(state, one)),
    ),
  refunds: (state, id) =>
    list(`/v1/charges/${id}/refunds`, state.refunds.filter(({ charge }) => charge === id).map(showRefund)),
  subscriptions: (state, id) =>
    list(
      `/v1/customers/${id}/subscriptions`,
      state.subscriptions
        .filter(({ customer, status }) => customer === id && status !== 'canceled')
        .map((one) => showSubscription(state, one)),
    ),
  'billing_portal.configuration': (state, id) => shownIf(byId(state.configurations, id), showConfiguration),
  line_items: (state, id) => shownIf(byId(state.sessions, id), (one) => showLineItems(state, one)),
}
