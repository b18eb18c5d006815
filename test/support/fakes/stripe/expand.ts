import { Refusal } from './answer.ts'
import { showCharge, showIntent, showInvoice, showInvoicePayment } from './show-invoice.ts'
import { list, showCurrencyOptions, showCustomer, showProduct, showSubscription } from './show.ts'
import type { State } from './state.ts'

/** What can be written out in each kind of thing, and what kind it then is. */
const expandable: Record<string, Record<string, string>> = {
  price: { product: 'product', currency_options: 'currency_options' },
  subscription: { customer: 'customer', latest_invoice: 'invoice' },
  invoice: { customer: 'customer', payments: 'payments' },
  payments: { 'data.payment.payment_intent': 'payment_intent' },
  payment_intent: { customer: 'customer', latest_charge: 'charge' },
  'checkout.session': { customer: 'customer', subscription: 'subscription', invoice: 'invoice' },
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

const byId =
  <T extends { id: string }>(all: (state: State) => T[], show: (one: T, state: State) => object) =>
  (state: State, id: string) => {
    const found = all(state).find((one) => one.id === id)
    return found && show(found, state)
  }

const load: Record<string, (state: State, id: string) => object | undefined> = {
  customer: byId((state) => state.customers, showCustomer),
  product: byId((state) => state.products, showProduct),
  currency_options: byId((state) => state.prices, showCurrencyOptions),
  payment_intent: byId((state) => state.paymentIntents, showIntent),
  subscription: byId(
    (state) => state.subscriptions,
    (one, state) => showSubscription(state, one),
  ),
  invoice: byId(
    (state) => state.invoices,
    (one, state) => showInvoice(state, one),
  ),
  charge: byId(
    (state) => state.charges,
    (one, state) => showCharge(state, one),
  ),
  payments(state, id) {
    const payments = state.paymentIntents.filter(({ invoice }) => invoice === id)
    const shown = payments.map((one) => showInvoicePayment(state, one))
    return list(`/v1/invoice_payments?invoice=${id}`, shown)
  },
}
