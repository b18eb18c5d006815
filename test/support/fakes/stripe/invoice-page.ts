import { alert, cardFields, type Html, html, nothing, type PageCall, sendPage } from './pages.ts'
import { attempt, customerOf } from './invoices.ts'
import type { Invoice } from './records.ts'
import { changeCard, readCard } from './sessions.ts'
import { money } from './proration.ts'

/** One invoice, which can be paid there while it is open. */
export function invoicePage(call: PageCall, says?: string) {
  const invoice = find(call)
  if (!invoice) return
  sendPage(call.response, 200, `Invoice ${invoice.number ?? ''}`, show(invoice, says))
}

function find({ state, response, params }: PageCall): Invoice | undefined {
  const found = state.invoices.find(({ id, status }) => id === params['id'] && status !== 'draft')
  if (!found) sendPage(response, 404, 'Invoice not found', html`<p>There is no such invoice.</p>`)
  return found
}

function show(invoice: Invoice, says: string | undefined): Html {
  const { currency, status } = invoice
  const lines = invoice.lines.map(
    ({ description, amount }) =>
      html`<tr>
        <td>${description}</td>
        <td>${money(amount, currency)}</td>
      </tr>`,
  )
  const tax =
    invoice.tax === 0
      ? nothing
      : html`<tr>
          <td>Tax (${invoice.taxPercent}%)</td>
          <td>${money(invoice.tax, currency)}</td>
        </tr>`
  const form = html`<form method="post">
    ${cardFields}<button type="submit">Pay ${money(invoice.amount_due, currency)}</button>
  </form>`
  return html`
    ${alert(says)}
    <p>Status: ${status}</p>
    <table>
      ${lines}${tax}
      <tr>
        <th>Total</th>
        <td>${money(invoice.total, currency)}</td>
      </tr>
    </table>
    ${status === 'open' ? form : nothing}
  `
}

/** A card that pays is the one for what comes later too. */
export function payInvoice(call: PageCall) {
  const invoice = find(call)
  if (!invoice) return
  if (invoice.status !== 'open') return invoicePage(call)
  const card = readCard(call.form.get('card') ?? '', call.state.now())
  if (typeof card === 'string') return invoicePage(call, card)
  changeCard(call.state, customerOf(call.state, invoice), card)
  attempt(call.state, invoice, { as: 'ok' })
  call.response.writeHead(303, { location: `/i/${invoice.id}` }).end()
}
