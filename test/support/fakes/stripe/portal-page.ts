import { readCard, updateCustomer } from './customers.ts'
import { alert, cardFields, type Html, html, link, nothing, redirect, sendPage } from './html.ts'
import type { PageCall } from './pages.ts'
import type { cancelInPortal, renewInPortal } from './portal.ts'
import { formatAmount } from './proration.ts'
import type { Subscription } from './records.ts'
import { getById, type State } from './state.ts'
import { findSubscription } from './subscriptions.ts'

export function portalPage(call: PageCall, error?: string) {
  const { state, response } = call
  const { session, customer, features } = openPortal(call)
  const live = state.subscriptions.filter((one) => one.customer === customer.id && one.status !== 'canceled')
  const card = customer.card ? `${customer.card.brand} ending in ${customer.card.last4}` : 'No card on file'
  const cardForm = html`<h2>Payment method</h2>
    <p>${card}</p>
    <form method="post" action="/p/session/${session.id}/card">
      ${cardFields}<button type="submit">Update card</button>
    </form>`
  const body = html`
    ${alert(error)}
    ${live.map((one) => subscriptionSection(state, session.id, one, features.subscription_cancel.enabled))}
    ${features.payment_method_update.enabled ? cardForm : nothing}
    ${features.invoice_history.enabled ? invoiceHistory(state, customer.id) : nothing}
    ${link(session.return_url, 'Return to Slipway test')}
  `
  sendPage(response, 200, 'Billing', body)
}

function openPortal({ state, id }: PageCall) {
  const session = getById(state.portalSessions, id)
  const { features } = getById(state.configurations, session.configuration)
  return { session, features, customer: getById(state.customers, session.customer) }
}

const formatDate = (at: number) =>
  new Date(at * 1000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

function subscriptionSection(
  state: State,
  session: string,
  subscription: Subscription,
  canCancel: boolean,
): Html {
  const { cancel_at, current_period_end, items } = subscription
  const button = html`<form
    method="post"
    action="/p/session/${session}/${cancel_at === null ? 'cancel' : 'renew'}"
  >
    <button type="submit">${cancel_at === null ? 'Cancel subscription' : 'Don’t cancel subscription'}</button>
  </form>`
  const ends =
    cancel_at === null ? `Renews on ${formatDate(current_period_end)}` : `Cancels on ${formatDate(cancel_at)}`
  return html`<h2>${items.map(({ price }) => getById(state.prices, price).productName).join(', ')}</h2>
    <p>${ends}</p>
    ${canCancel ? button : nothing}`
}

function invoiceHistory({ invoices, url }: State, customer: string): Html {
  const rows = invoices
    .filter((one) => one.customer === customer && one.status !== 'draft')
    .map(
      ({ id, number, total, currency, status }) =>
        html`<tr>
          <td><a href="${url}/i/${id}">${number ?? id}</a></td>
          <td>${formatAmount(total, currency)}</td>
          <td>${status ?? ''}</td>
        </tr>`,
    )
  return html`<section aria-label="Invoice history">
    <h2>Invoice history</h2>
    <table>
      ${rows}
    </table>
  </section>`
}

export function changeCard(call: PageCall) {
  const { session, customer } = openPortal(call)
  const card = readCard(call.form)
  if (typeof card === 'string') return portalPage(call, card)
  updateCustomer(call.state, customer, { card })
  redirect(call.response, `/p/session/${session.id}`)
}

/** Cancels the subscription of the customer at the end of its period, or renews it. */
export function changeCancellation(call: PageCall, change: typeof cancelInPortal | typeof renewInPortal) {
  const { session, customer } = openPortal(call)
  change(call.state, findSubscription(call.state, customer.id))
  redirect(call.response, `/p/session/${session.id}`)
}
