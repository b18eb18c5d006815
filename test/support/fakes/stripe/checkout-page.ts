import { addressOf } from './customer-calls.ts'
import type { CheckoutSession } from './records.ts'
import { alert, cardFields, type Html, html, input, nothing, type PageCall, sendPage } from './pages.ts'
import { money, nameOf, priceOf, taxPercentOf } from './proration.ts'
import type { Customer } from './records.ts'
import { completeSession, type Payer, readCard } from './sessions.ts'
import { hasTrial, totalOf } from './show-checkout.ts'
import type { State } from './state.ts'

const countries = {
  US: 'United States',
  DE: 'Germany',
  FR: 'France',
  GB: 'United Kingdom',
  NL: 'Netherlands',
}

/** Where a person pays. */
export function checkoutPage({ state, response, params }: PageCall) {
  const session = state.sessions.find(({ id }) => id === params['id'])
  if (!session || isOver(state, session)) return overPage(response, session)
  sendPage(response, 200, titleOf(state, session), formOf(state, session))
}

/** The person pressed the button. */
export function pay({ state, response, params, form }: PageCall) {
  const session = state.sessions.find(({ id }) => id === params['id'])
  if (!session || isOver(state, session)) return overPage(response, session)
  const payer = readPayer(state, session, form)
  if (typeof payer === 'string')
    return sendPage(response, 200, titleOf(state, session), formOf(state, session, form, payer))
  completeSession(state, session, payer)
  const location = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
  response.writeHead(303, { location }).end()
}

const isOver = ({ customers }: State, { status, customer }: CheckoutSession) =>
  status !== 'open' || customers.some(({ id, isDeleted }) => id === customer && isDeleted)

function overPage(response: PageCall['response'], session: CheckoutSession | undefined) {
  if (!session)
    return sendPage(
      response,
      404,
      'Something went wrong',
      html`<p>The page you were looking for could not be found.</p>`,
    )
  const back = session.cancel_url ? html`<p><a href="${session.cancel_url}">Back</a></p>` : nothing
  if (session.status === 'complete')
    return sendPage(
      response,
      200,
      'You’re all done here',
      html`<p>You’ve already completed your payment for this session.</p>
        ${back}`,
    )
  sendPage(
    response,
    200,
    'This checkout session has expired',
    html`<p>Go back to where you came from and start again.</p>
      ${back}`,
  )
}

const titleOf = (state: State, { line_items: [first] }: CheckoutSession) =>
  `Subscribe to ${nameOf(state, { price: first?.price ?? '' })}`

function formOf(state: State, session: CheckoutSession, typed = new URLSearchParams(), says?: string): Html {
  const total = totalOf(state, session)
  const { recurring, currency } = priceOf(state, session.line_items[0]?.price ?? '')
  const each = `${money(total, currency)} per ${recurring?.interval ?? 'month'}`
  const customer = state.customers.find(({ id }) => id === session.customer)
  const days = daysOfTrial(state, session)
  const trial = html`<p>${days ?? 0} days free, then ${each}. Due today: ${money(0, currency)}.</p>`
  return html`
    ${alert(says)}
    <p>${each}</p>
    ${days === undefined ? nothing : trial}
    ${session.automatic_tax ? taxLine(total, currency, customer ? taxPercentOf(customer) : 0) : nothing}
    <form method="post">
      ${fieldsOf(session, customer, typed)}
      <button type="submit">${days === undefined ? 'Subscribe' : 'Start trial'}</button>
    </form>
    ${session.cancel_url ? html`<p><a href="${session.cancel_url}">Back</a></p>` : nothing}
  `
}

function fieldsOf(session: CheckoutSession, customer: Customer | undefined, typed: URLSearchParams): Html[] {
  const value = (name: string, otherwise: string | null | undefined) => typed.get(name) ?? otherwise ?? ''
  const { email, name, address, taxId } = customer ?? {}
  const country = value('country', address?.country ?? 'US')
  const options = Object.entries(countries).map(
    ([code, called]) =>
      html`<option value="${code}" ${code === country ? html`selected` : nothing}>${called}</option>`,
  )
  return [
    input(
      'Email',
      'email',
      value('email', email ?? session.customer_email),
      email ? html`readonly` : nothing,
    ),
    ...cardFields,
    input('Cardholder name', 'name', value('name', name), html`autocomplete="cc-name"`),
    html`<label for="country">Country or region</label
      ><select id="country" name="country">
        ${options}
      </select>`,
    ...(session.billing_address_collection === 'required' || session.customer_update.address === 'auto'
      ? [input('Address', 'line1', value('line1', address?.line1))]
      : []),
    input('Postal code', 'postal_code', value('postal_code', address?.postal_code)),
    ...(session.tax_id_collection ? [input('Tax ID', 'tax_id', value('tax_id', taxId))] : []),
  ]
}

const taxLine = (total: number, currency: string, percent: number) =>
  percent === 0
    ? html`<p>Tax: worked out from your address</p>`
    : html`<p>Tax (${percent}%): ${money(Math.round((total * percent) / 100), currency)}</p>`

function daysOfTrial(state: State, session: CheckoutSession): number | undefined {
  const { trial_end, trial_period_days } = session.subscription_data
  if (!hasTrial(session)) return undefined
  if (trial_period_days !== null) return trial_period_days
  const left = (trial_end ?? 0) - state.now()
  return left > 0 ? Math.ceil(left / 86_400) : undefined
}

/** A sentence where something has to be put right first. */
function readPayer(state: State, session: CheckoutSession, form: URLSearchParams): Payer | string {
  const of = (name: string) => form.get(name)?.trim() ?? ''
  const needsNoCard =
    session.payment_method_collection === 'if_required' && daysOfTrial(state, session) !== undefined
  if (!/^\S+@\S+$/.test(of('email'))) return 'Enter your email.'
  if (of('name') === '') return 'Enter the name on your card.'
  if (of('postal_code') === '') return 'Enter your postal code.'
  if (form.has('line1') && session.billing_address_collection === 'required' && of('line1') === '')
    return 'Enter your address.'
  const card = needsNoCard && of('card') === '' ? undefined : readCard(of('card'), state.now())
  if (typeof card === 'string') return card
  const address = addressOf({
    country: of('country'),
    postal_code: of('postal_code'),
    line1: of('line1') || null,
  })
  return { card, email: of('email'), name: of('name'), address, taxId: of('tax_id') || undefined }
}
