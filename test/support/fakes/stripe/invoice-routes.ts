import type { Stripe } from 'stripe'
import { ApiError, invalidRequest, missingParam, noSuch } from './errors.ts'
import { computeInvoice, describeLine, presentInvoice, voidInvoice } from './invoices.ts'
import { fullLine, periodEnd, recurringOf } from './proration.ts'
import type { Invoice } from './records.ts'
import { type Call, filterBy, getNamed, listRoute, paginate, type Route, route } from './routes.ts'
import { present } from './schema.ts'
import type { State } from './state.ts'
import { planUpdate } from './subscription-update.ts'

const getInvoice = (call: Call) => getNamed(call, call.state.invoices, 'invoice', 'invoice')

export const invoiceRoutes: Route[] = [
  route('POST /v1/invoices/create_preview', ({ state }, params: Stripe.InvoiceCreatePreviewParams) => {
    const invoice = previewInvoice(state, params)
    state.previews.push(invoice)
    return presentInvoice(state, invoice)
  }),
  route('GET /v1/invoices/:id', (call) => presentInvoice(call.state, getInvoice(call))),
  route('GET /v1/invoices/:id/lines', (call, params: Stripe.InvoiceListLineItemsParams) => {
    const { state, path } = call
    const invoice = getNamed(call, [...state.invoices, ...state.previews], 'invoice', 'invoice')
    return paginate(path, invoice.lines, params, (line) =>
      present('InvoiceLineItem', describeLine(state, invoice, line)),
    )
  }),
  listRoute(
    'GET /v1/invoices',
    ({ invoices }, { subscription, status }: Stripe.InvoiceListParams) =>
      filterBy(invoices, { subscription, status }),
    presentInvoice,
  ),
  route('POST /v1/invoices/:id/void', (call) => {
    const invoice = getInvoice(call)
    if (invoice.status !== 'open')
      throw invalidRequest('You can only void open or uncollectible invoices.', 'invoice')
    voidInvoice(call.state, invoice)
    return presentInvoice(call.state, invoice)
  }),
]

/** The next invoice of a subscription, after an update or without one. */
function previewInvoice(
  state: State,
  { subscription: id, subscription_details = {} }: Stripe.InvoiceCreatePreviewParams,
): Invoice {
  if (id === undefined) throw missingParam('subscription')
  const subscription = state.subscriptions.find((one) => one.id === id)
  if (!subscription) throw noSuch(400, 'subscription', id, 'subscription')
  const { cancel_at, cancel_at_period_end } = subscription_details
  const planned = planUpdate(state, subscription, subscription_details, 'subscription_details')
  const {
    current_period_start: start,
    current_period_end: end,
    billing_cycle_anchor,
    currency,
  } = subscription
  const lines = [...subscription.pending, ...planned.lines]
  if (planned.isInvoicedNow)
    return computeInvoice(state, subscription, lines, 'upcoming', planned.period ?? { start, end })
  const cancelsAt = cancel_at === undefined ? subscription.cancel_at : cancel_at || null
  const isLastPeriod = cancel_at_period_end ?? cancelsAt !== null
  if (subscription.status === 'canceled' || (isLastPeriod && planned.lines.length === 0))
    throw new ApiError(404, { code: 'invoice_upcoming_none', message: 'No upcoming invoices.' })
  const next = { start: end, end: periodEnd(billing_cycle_anchor, recurringOf(state, planned.items), end) }
  lines.push(...planned.items.map((item) => fullLine(state, currency, item, next)))
  return computeInvoice(state, subscription, lines, 'upcoming', { start, end })
}
