import { z } from 'zod'
import { type Call, declines, missing, noCard, Refusal, refuse } from './answer.ts'
import { attempt, finalize, markPaid, voidInvoice } from './invoices.ts'
import { pageOfList } from './lists.ts'
import { boolean, expand, integer, paging, text } from './params.ts'
import { previewInvoice, previewParams } from './preview.ts'
import type { Invoice } from './records.ts'
import { type Route, route } from './routes.ts'
import { showInvoice, showLine } from './show-invoice.ts'
import { list } from './show.ts'

const one = z.strictObject({ expand })

export const invoiceRoutes: Route[] = [
  route(['POST', '/v1/invoices/create_preview', 'invoice'], previewParams, ({ state }, given) => {
    const invoice = previewInvoice(state, given)
    state.previews.push(invoice)
    return { ...showInvoice(state, invoice), hosted_invoice_url: null, invoice_pdf: null }
  }),
  route(['GET', '/v1/invoices/:id', 'invoice'], one, (call) => showInvoice(call.state, find(call))),
  route(
    ['GET', '/v1/invoices/:id/lines', 'list line_item'],
    z.strictObject({ limit: integer.optional(), starting_after: text.optional(), expand }),
    ({ state, params, path }, { limit = 10, starting_after }) => {
      const invoice = [...state.invoices, ...state.previews].find(({ id }) => id === params['id'])
      if (!invoice) throw missing('invoice', params['id'] ?? '', 'invoice')
      const from = invoice.lines.findIndex(({ id }) => id === starting_after) + 1
      const shown = invoice.lines.slice(from, from + limit).map((line) => showLine(state, invoice, line))
      return list(path, shown, from + limit < invoice.lines.length)
    },
  ),
  route(
    ['GET', '/v1/invoices', 'list invoice'],
    z.strictObject({
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    }),
    (call, given) => {
      const { customer, subscription, status } = given
      const fitting = call.state.invoices.filter(
        (invoice) =>
          (customer === undefined || invoice.customer === customer) &&
          (subscription === undefined || invoice.subscription === subscription) &&
          (status === undefined || invoice.status === status),
      )
      return pageOfList(call, fitting, given, (invoice) => showInvoice(call.state, invoice))
    },
  ),
  route(['POST', '/v1/invoices/:id/finalize', 'invoice'], one, (call) => {
    const invoice = find(call)
    if (invoice.status !== 'draft')
      throw refuse(
        'This invoice is already finalized, you can only finalize draft invoices.',
        undefined,
        'invoice_not_editable',
      )
    finalize(call.state, invoice)
    return showInvoice(call.state, invoice)
  }),
  route(
    ['POST', '/v1/invoices/:id/pay', 'invoice'],
    z.strictObject({ paid_out_of_band: boolean.optional(), off_session: boolean.optional(), expand }),
    (call, { paid_out_of_band = false }) => {
      const invoice = find(call)
      if (invoice.status === 'paid')
        throw refuse('Invoice is already paid', undefined, 'invoice_already_paid')
      if (invoice.status === 'void') throw refuse('Voided invoices cannot be paid.')
      if (invoice.status === 'draft') finalize(call.state, invoice)
      if (paid_out_of_band) {
        Object.assign(invoice, { paid_out_of_band, amount_paid: invoice.amount_due })
        markPaid(call.state, invoice)
        return showInvoice(call.state, invoice)
      }
      const paid = attempt(call.state, invoice)
      if (paid === 'no_card') throw new Refusal(400, { code: 'resource_missing', message: noCard })
      if (paid !== 'ok') throw new Refusal(402, { type: 'card_error', ...declines[paid] })
      return showInvoice(call.state, invoice)
    },
  ),
  route(['POST', '/v1/invoices/:id/void', 'invoice'], one, (call) => {
    const invoice = find(call)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw refuse(`You can only pass in open or uncollectible invoices. This invoice isn't one.`, 'invoice')
    voidInvoice(call.state, invoice)
    return showInvoice(call.state, invoice)
  }),
]

function find({ state, params }: Call): Invoice {
  const found = state.invoices.find(({ id }) => id === params['id'])
  if (!found) throw missing('invoice', params['id'] ?? '', 'invoice')
  return found
}
