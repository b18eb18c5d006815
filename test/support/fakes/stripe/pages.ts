import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import { checkoutPage, payCheckout } from './checkout-page.ts'
import { readCard, updateCustomer } from './customers.ts'
import { alert, cardFields, html, nothing, redirect, sendPage } from './html.ts'
import { attemptPayment } from './invoices.ts'
import { cancelInPortal, renewInPortal } from './portal.ts'
import { changeCancellation, changeCard, portalPage } from './portal-page.ts'
import { formatAmount } from './proration.ts'
import { getById, type State } from './state.ts'

/** A request of a browser. */
export interface PageCall {
  state: State
  response: ServerResponse
  /** The id in the path. */
  id: string
  form: URLSearchParams
}

const pages: Record<string, (call: PageCall) => unknown> = {
  'GET /c/pay/:id': (call) => checkoutPage(call),
  'POST /c/pay/:id': payCheckout,
  'GET /p/session/:id': (call) => portalPage(call),
  'POST /p/session/:id/card': changeCard,
  'POST /p/session/:id/cancel': (call) => changeCancellation(call, cancelInPortal),
  'POST /p/session/:id/renew': (call) => changeCancellation(call, renewInPortal),
  'GET /i/:id': (call) => invoicePage(call),
  'POST /i/:id': payInvoice,
}

export async function servePage(state: State, request: IncomingMessage, response: ServerResponse, url: URL) {
  const form = new URLSearchParams(await text(request))
  for (const [name, answer] of Object.entries(pages)) {
    const [method, path = ''] = name.split(' ')
    const match = method === request.method ? matchPath(path, url.pathname) : undefined
    if (!match) continue
    answer({ state, response, id: match['id'] ?? '', form })
    return
  }
  sendPage(response, 404, 'Page not found', nothing)
}

function invoicePage({ state, response, id }: PageCall, error?: string) {
  const { amount_due, currency, lines, number, status, tax, total } = getById(state.invoices, id)
  const rows = [...lines, { description: 'Tax', amount: tax }, { description: 'Total', amount: total }].map(
    ({ description, amount }) =>
      html`<tr>
        <td>${description ?? ''}</td>
        <td>${formatAmount(amount, currency)}</td>
      </tr>`,
  )
  const form = html`<form method="post">
    ${cardFields}<button type="submit">Pay ${formatAmount(amount_due, currency)}</button>
  </form>`
  const body = html`${alert(error)}
    <p>Status: ${status ?? ''}</p>
    <table>
      ${rows}
    </table>
    ${status === 'open' ? form : nothing}`
  sendPage(response, 200, `Invoice ${number ?? ''}`, body)
}

/** The card that pays becomes the default payment method. */
function payInvoice(call: PageCall) {
  const { state, response, id, form } = call
  const invoice = getById(state.invoices, id)
  if (invoice.status !== 'open') return invoicePage(call)
  const card = readCard(form)
  if (typeof card === 'string') return invoicePage(call, card)
  updateCustomer(state, getById(state.customers, invoice.customer), { card })
  attemptPayment(state, invoice, 'ok')
  redirect(response, `/i/${id}`)
}
