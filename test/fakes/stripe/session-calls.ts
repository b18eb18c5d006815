import { z } from 'zod'
import { type Call, missing, refuse } from './answer.ts'
import type { CheckoutSession } from './checkout-records.ts'
import { merge, namedCustomer } from './customer-calls.ts'
import { pageOfList } from './lists.ts'
import { boolean, expand, integer, metadata, paging, text, url } from './params.ts'
import { day } from './periods.ts'
import { type Route, route } from './routes.ts'
import { checkSession, sellablePrice } from './session-rules.ts'
import { expireSession } from './sessions.ts'
import { showLineItems, showSession } from './show-checkout.ts'
import { newId } from './state.ts'

export const sessionParams = z.strictObject({
  mode: z.enum(['payment', 'setup', 'subscription']),
  line_items: z
    .array(z.strictObject({ price: text, quantity: integer.optional() }))
    .max(20)
    .optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  customer_update: z
    .strictObject({
      address: z.enum(['auto', 'never']).optional(),
      name: z.enum(['auto', 'never']).optional(),
      shipping: z.enum(['auto', 'never']).optional(),
    })
    .optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: text.max(500).optional(),
      trial_end: integer.optional(),
      trial_period_days: integer.optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({
            missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']),
          }),
        })
        .optional(),
    })
    .optional(),
  success_url: url.optional(),
  cancel_url: url.optional(),
  automatic_tax: z.strictObject({ enabled: boolean }).optional(),
  tax_id_collection: z
    .strictObject({ enabled: boolean, required: z.enum(['if_supported', 'never']).optional() })
    .optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  allow_promotion_codes: boolean.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  payment_method_types: z.array(z.enum(['card'])).optional(),
  locale: text.optional(),
  expires_at: integer.optional(),
  ui_mode: z.enum(['hosted_page']).optional(),
  expand,
})

export const sessionRoutes: Route[] = [
  route(['POST', '/v1/checkout/sessions', 'checkout.session'], sessionParams, ({ state }, given) => {
    const { success_url } = checkSession(state, given)
    const lines = given.line_items ?? []
    const data = given.subscription_data
    const session: CheckoutSession = {
      id: newId('cs_test', 58),
      status: 'open',
      payment_status: 'unpaid',
      created: state.now(),
      expires_at: given.expires_at ?? state.now() + day,
      customer: given.customer ?? null,
      customer_email: given.customer_email ?? null,
      client_reference_id: given.client_reference_id ?? null,
      metadata: merge({}, given.metadata),
      success_url,
      cancel_url: given.cancel_url ?? null,
      line_items: lines.map(({ price, quantity = 1 }) => ({ id: newId('li'), price, quantity })),
      currency: sellablePrice(state, lines[0]?.price ?? '', 'line_items[0][price]').currency,
      subscription: null,
      invoice: null,
      subscription_data: {
        metadata: merge({}, data?.metadata),
        description: data?.description ?? null,
        trial_end: data?.trial_end ?? null,
        trial_period_days: data?.trial_period_days ?? null,
        missingCard: data?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
      automatic_tax: given.automatic_tax?.enabled ?? false,
      tax_id_collection: given.tax_id_collection?.enabled ?? false,
      billing_address_collection: given.billing_address_collection ?? 'auto',
      customer_update: {
        address: given.customer_update?.address ?? 'never',
        name: given.customer_update?.name ?? 'never',
      },
      allow_promotion_codes: given.allow_promotion_codes ?? null,
      payment_method_collection: given.payment_method_collection ?? 'always',
      locale: given.locale ?? null,
    }
    state.sessions.push(session)
    return showSession(state, session)
  }),
  route(['GET', '/v1/checkout/sessions/:id', 'checkout.session'], z.strictObject({ expand }), (call) =>
    showSession(call.state, find(call)),
  ),
  route(['GET', '/v1/checkout/sessions/:id/line_items', 'line_items'], z.strictObject({ expand }), (call) =>
    showLineItems(call.state, find(call)),
  ),
  route(
    ['GET', '/v1/checkout/sessions', 'list checkout.session'],
    z.strictObject({
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['complete', 'expired', 'open']).optional(),
    }),
    (call, given) => {
      const { customer, subscription, status } = given
      if (customer !== undefined) namedCustomer(call.state, customer)
      const fitting = call.state.sessions.filter(
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (subscription === undefined || one.subscription === subscription) &&
          (status === undefined || one.status === status),
      )
      return pageOfList(call, fitting, given, (one) => showSession(call.state, one))
    },
  ),
  route(
    ['POST', '/v1/checkout/sessions/:id/expire', 'checkout.session'],
    z.strictObject({ expand }),
    (call) => {
      const session = find(call)
      if (session.status !== 'open')
        throw refuse(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        )
      expireSession(call.state, session)
      return showSession(call.state, session)
    },
  ),
]

function find({ state, params }: Call): CheckoutSession {
  const found = state.sessions.find(({ id }) => id === params['id'])
  if (!found) throw missing('checkout.session', params['id'] ?? '', 'session')
  return found
}
