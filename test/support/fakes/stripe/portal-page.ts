import type { PortalConfiguration, PortalSession } from './records.ts'
import { changeSubscription } from './events.ts'
import { alert, cardFields, type Html, html, nothing, type PageCall, sendPage } from './pages.ts'
import { money, nameOf } from './proration.ts'
import type { Customer, Subscription } from './records.ts'
import { changeCard, readCard } from './sessions.ts'
import type { State } from './state.ts'
import { cancellationOf } from './subscription-update.ts'
import { cancelNow } from './subscriptions.ts'

interface Portal {
  session: PortalSession
  configuration: PortalConfiguration
  customer: Customer
}

/** Where a customer sees to the card, the invoices and the subscription. */
export function portalPage(call: PageCall, says?: string) {
  const portal = open(call)
  if (!portal) return
  const { features } = portal.configuration
  const body = html`
    ${alert(says)}
    ${living(call.state, portal.customer).map((one) => subscriptionOf(call.state, portal, one))}
    ${features.payment_method_update.enabled ? cardOf(portal) : nothing}
    ${features.invoice_history.enabled ? invoicesOf(call.state, portal) : nothing}
    ${portal.session.return_url ? html`<p><a href="${portal.session.return_url}">Return to Slipway test</a></p>` : nothing}
  `
  sendPage(call.response, 200, 'Billing', body)
}

function open({ state, response, params }: PageCall): Portal | undefined {
  const session = state.portalSessions.find(({ id }) => id === params['id'])
  const configuration = state.configurations.find(({ id }) => id === session?.configuration)
  const customer = state.customers.find(({ id, isDeleted }) => id === session?.customer && !isDeleted)
  if (session && configuration && customer) return { session, configuration, customer }
  sendPage(
    response,
    404,
    'This link is no longer valid',
    html`<p>Go back to where you came from and try again.</p>`,
  )
  return undefined
}

const living = ({ subscriptions }: State, { id }: Customer) =>
  subscriptions.filter(({ customer, status }) => customer === id && status !== 'canceled')

const dateOf = (at: number) =>
  new Date(at * 1000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

function subscriptionOf(state: State, { session, configuration }: Portal, one: Subscription): Html {
  const ends =
    one.cancel_at === null
      ? `Renews on ${dateOf(one.current_period_end)}`
      : `Cancels on ${dateOf(one.cancel_at)}`
  const deed = one.cancel_at === null ? 'cancel' : 'renew'
  const button = html`<form method="post" action="/p/session/${session.id}/${deed}">
    <input type="hidden" name="subscription" value="${one.id}" />
    <button type="submit">${deed === 'cancel' ? 'Cancel subscription' : 'Don’t cancel subscription'}</button>
  </form>`
  return html`<section aria-label="Current subscription">
    <h2>${one.items.map((item) => nameOf(state, item)).join(', ')}</h2>
    <p>${one.status === 'past_due' ? 'Past due. ' : ''}${ends}</p>
    ${configuration.features.subscription_cancel.enabled ? button : nothing}
  </section>`
}

const cardOf = ({ session, customer: { card } }: Portal) =>
  html`<section aria-label="Payment method">
    <h2>Payment method</h2>
    <p>${card ? `${card.brand} ending in ${card.last4}` : 'No card on file'}</p>
    <form method="post" action="/p/session/${session.id}/card">
      ${cardFields}<button type="submit">Update card</button>
    </form>
  </section>`

function invoicesOf({ invoices, url }: State, { customer }: Portal): Html {
  const rows = invoices
    .filter((one) => one.customer === customer.id && one.status !== 'draft')
    .toReversed()
    .map(
      (one) =>
        html`<tr>
          <td><a href="${url}/i/${one.id}">${one.number ?? one.id}</a></td>
          <td>${dateOf(one.created)}</td>
          <td>${money(one.total, one.currency)}</td>
          <td>${one.status}</td>
        </tr>`,
    )
  const head = html`<tr>
    <th>Number</th>
    <th>Date</th>
    <th>Amount</th>
    <th>Status</th>
  </tr>`
  return html`<section aria-label="Invoice history">
    <h2>Invoice history</h2>
    <table>
      ${head}${rows}
    </table>
  </section>`
}

function back({ response, params }: PageCall) {
  response.writeHead(303, { location: `/p/session/${params['id']}` }).end()
}

export function updateCard(call: PageCall) {
  const portal = open(call)
  if (!portal) return
  if (!portal.configuration.features.payment_method_update.enabled) return back(call)
  const card = readCard(call.form.get('card') ?? '', call.state.now())
  if (typeof card === 'string') return portalPage(call, card)
  changeCard(call.state, portal.customer, card)
  back(call)
}

/** Cancels, or takes that back. */
export function changeEnd(call: PageCall, deed: 'cancel' | 'renew') {
  const portal = open(call)
  if (!portal) return
  const one = living(call.state, portal.customer).find(({ id }) => id === call.form.get('subscription'))
  const { enabled, mode, proration_behavior } = portal.configuration.features.subscription_cancel
  if (!one || !enabled) return back(call)
  if (deed === 'cancel' && mode === 'immediately')
    cancelNow(call.state, one, {
      prorate: proration_behavior !== 'none',
      invoice_now: proration_behavior === 'always_invoice',
    })
  else if (deed === 'cancel') cancelInPortal(call.state, one)
  else changeSubscription(call.state, one, { ...cancellationOf(call.state, one, { cancel_at: null }, 0) })
  back(call)
}

/** Newer portals name the time, older ones say that it is the end of the period. */
export function cancelInPortal(state: State, subscription: Subscription, how = state.settings.portalCancels) {
  const { current_period_end: end } = subscription
  const given = how === 'cancel_at' ? { cancel_at: end } : { cancel_at_period_end: true }
  changeSubscription(state, subscription, cancellationOf(state, subscription, given, end))
}
