import { completeSession, type PaymentDetails, totalOf } from './checkout.ts'
import { readCard } from './customers.ts'
import { alert, cardFields, type Html, html, input, link, nothing, redirect, sendPage } from './html.ts'
import type { PageCall } from './pages.ts'
import { formatAmount, taxPercentOf } from './proration.ts'
import type { CheckoutSession } from './records.ts'
import { day, getById, type State } from './state.ts'

const countries = { US: 'United States', DE: 'Germany', FR: 'France', GB: 'United Kingdom' }

export function checkoutPage(call: PageCall, error?: string) {
  const session = findOpen(call)
  if (!session) return
  const { state, response, form } = call
  const { productName } = priceOf(state, session)
  sendPage(response, 200, `Subscribe to ${productName}`, paymentForm(state, session, form, error))
}

export function payCheckout(call: PageCall) {
  const session = findOpen(call)
  if (!session) return
  const details = readDetails(session, call.form)
  if (typeof details === 'string') return checkoutPage(call, details)
  completeSession(call.state, session, details)
  redirect(call.response, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
}

const priceOf = ({ prices }: State, { line_items: [first] }: CheckoutSession) =>
  getById(prices, first?.price ?? '')

/** Answers with another page unless the session can be paid. */
function findOpen({ state, response, id }: PageCall): CheckoutSession | undefined {
  const session = getById(state.sessions, id)
  const back = link(session.cancel_url, 'Back')
  const { isDeleted } = getById(state.customers, session.customer)
  if (session.status === 'complete') sendPage(response, 200, 'You’re all done here', back)
  else if (session.status === 'expired' || isDeleted)
    sendPage(response, 200, 'This checkout session has expired', back)
  else return session
  return undefined
}

function paymentForm(state: State, session: CheckoutSession, form: URLSearchParams, error?: string): Html {
  const total = totalOf(state, session)
  const { recurring, currency } = priceOf(state, session)
  const each = `${formatAmount(total, currency)} per ${recurring.interval}`
  const customer = getById(state.customers, session.customer)
  const tax = Math.round((total * taxPercentOf(customer)) / 100)
  const { trial_end } = session.subscription_data
  const trialDays = trial_end === null ? 0 : Math.ceil((trial_end - state.now()) / day)
  const valueOf = (name: string, initial: string | null | undefined) => form.get(name) ?? initial ?? ''
  const country = valueOf('country', customer.address?.country ?? 'US')
  const options = Object.entries(countries).map(
    ([code, name]) =>
      html`<option value="${code}" ${code === country ? html`selected` : nothing}>${name}</option>`,
  )
  return html`
    ${alert(error)}
    <p>
      ${trialDays > 0 ? `${trialDays} days free, then ${each}. Due today: ${formatAmount(0, currency)}.` : each}
    </p>
    ${session.automatic_tax.enabled ? html`<p>Tax: ${formatAmount(tax, currency)}</p>` : nothing}
    <form method="post">
      ${input('Email', 'email', valueOf('email', customer.email))} ${cardFields}
      ${input('Cardholder name', 'name', valueOf('name', customer.name))}
      <label for="country">Country or region</label>
      <select id="country" name="country">
        ${options}
      </select>
      ${input('Address', 'line1', valueOf('line1', customer.address?.line1))}
      ${input('Postal code', 'postal_code', valueOf('postal_code', customer.address?.postal_code))}
      ${session.tax_id_collection.enabled ? input('Tax ID', 'tax_id', valueOf('tax_id', customer.taxId)) : nothing}
      <button type="submit">${trialDays > 0 ? 'Start trial' : 'Subscribe'}</button>
    </form>
    ${link(session.cancel_url, 'Back')}
  `
}

/** A string is the error to show. */
function readDetails(session: CheckoutSession, form: URLSearchParams): PaymentDetails | string {
  const read = (name: string) => form.get(name)?.trim() ?? ''
  if (!/^\S+@\S+$/.test(read('email'))) return 'Enter your email.'
  if (read('name') === '') return 'Enter the name on your card.'
  if (read('postal_code') === '') return 'Enter your postal code.'
  if (session.billing_address_collection === 'required' && read('line1') === '') return 'Enter your address.'
  const card = readCard(form)
  if (typeof card === 'string') return card
  const address = { country: read('country'), postal_code: read('postal_code'), line1: read('line1') }
  return { card, name: read('name'), address, taxId: read('tax_id') || undefined }
}
