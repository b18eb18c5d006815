import { z } from 'zod'
import { type Call, declines, named, noCard, Refusal, refuse } from './answer.ts'
import { attempt, finalize, markPaid, voidInvoice } from './invoices.ts'
import { boolean, expand, integer, text } from './params.ts'
import { previewInvoice, previewParams } from './preview.ts'
import type { Invoice } from './records.ts'
import { listRoute, one, type Route, route } from './routes.ts'
import { showInvoice, showLine } from './show-invoice.ts'
import { list } from './show.ts'

const find = (call: Call) => named(call, call.state.invoices, 'invoice', 'invoice')

export const invoiceRoutes: Route[] = [
  route('POST /v1/invoices/create_preview', 'invoice', previewParams, ({ state }, given) => {
    const invoice = previewInvoice(state, given)
    state.previews.push(invoice)
    return { ...showInvoice(state, invoice), hosted_invoice_url: null, invoice_pdf: null }
  }),
  route('GET /v1/invoices/:id', 'invoice', one, (call) => showInvoice(call.state, find(call))),
  route(
    'GET /v1/invoices/:id/lines',
    'list line_item',
    z.strictObject({ limit: integer.optional(), starting_after: text.optional(), expand }),
    (call, { limit = 10, starting_after }) => {
      const { state, path } = call
      const invoice = named(call, [...state.invoices, ...state.previews], 'invoice', 'invoice')
      const from = invoice.lines.findIndex(({ id }) => id === starting_after) + 1
      const shown = invoice.lines.slice(from, from + limit).map((line) => showLine(state, invoice, line))
      return list(path, shown, from + limit < invoice.lines.length)
    },
  ),
  listRoute(
    '/v1/invoices',
    'invoice',
    {
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    },
    ({ invoices }) => invoices,
    (invoice, state) => showInvoice(state, invoice),
  ),
  route(
    'POST /v1/invoices/:id/pay',
    'invoice',
    z.strictObject({ paid_out_of_band: boolean.optional(), off_session: boolean.optional(), expand }),
    (call, { paid_out_of_band = false }) => {
      pay(call, find(call), paid_out_of_band)
      return showInvoice(call.state, find(call))
    },
  ),
  route('POST /v1/invoices/:id/void', 'invoice', one, (call) => {
    const invoice = find(call)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw refuse('You can only void open or uncollectible invoices.', 'invoice')
    voidInvoice(call.state, invoice)
    return showInvoice(call.state, invoice)
  }),
]

function pay({ state }: Call, invoice: Invoice, paid_out_of_band: boolean) {
  if (invoice.status === 'paid') throw refuse('Invoice is already paid', undefined, 'invoice_already_paid')
  if (invoice.status === 'void') throw refuse('Voided invoices cannot be paid.')
  if (invoice.status === 'draft') finalize(state, invoice)
  if (paid_out_of_band) {
    Object.assign(invoice, { paid_out_of_band, amount_paid: invoice.amount_due })
    return markPaid(state, invoice)
  }
  const paid = attempt(state, invoice)
  if (paid === 'no_card') throw noCard()
  if (paid !== 'ok') throw new Refusal(402, { type: 'card_error', ...declines[paid] })
}
