import { z } from 'zod'
import { type Call, missing, missingParam, named } from './answer.ts'
import { boolean, expand, integer, metadata, orNone, text } from './params.ts'
import { listRoute, one, type Route, route } from './routes.ts'
import { showSubscription } from './show.ts'
import { updateSubscription } from './subscription-update.ts'
import { cancelNow } from './subscriptions.ts'

const feedbacks = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
] as const
const feedback = z.enum([...feedbacks, 'too_complex', 'too_expensive', 'unused'])
const cancellation_details = z.strictObject({
  comment: orNone(text).optional(),
  feedback: orNone(feedback).optional(),
})

export const changedItems = z.array(
  z.strictObject({
    id: text.optional(),
    price: text.optional(),
    quantity: integer.optional(),
    deleted: boolean.optional(),
    metadata: metadata.optional(),
  }),
)
export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none'])

export const subscriptionChanges = z.strictObject({
  items: changedItems.optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: integer.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete']).optional(),
  cancel_at_period_end: boolean.optional(),
  cancel_at: orNone(z.union([z.enum(['min_period_end', 'max_period_end']), integer])).optional(),
  cancellation_details: cancellation_details.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  metadata: metadata.optional(),
  description: orNone(text).optional(),
  automatic_tax: z.strictObject({ enabled: boolean }).optional(),
  off_session: boolean.optional(),
  expand,
})

const standing = ['active', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing'] as const
const statuses = z.enum([...standing, 'unpaid', 'canceled', 'ended', 'all'])
const cancelParams = z.strictObject({
  invoice_now: boolean.optional(),
  prorate: boolean.optional(),
  cancellation_details: cancellation_details.optional(),
  expand,
})
const find = (call: Call) => named(call, call.state.subscriptions, 'subscription')

export const subscriptionRoutes: Route[] = [
  route('GET /v1/subscriptions/:id', 'subscription', one, (call) => showSubscription(call.state, find(call))),
  listRoute(
    '/v1/subscriptions',
    'subscription',
    {
      customer: text.optional(),
      price: text.optional(),
      // Without this parameter, all that have not ended.
      status: statuses.optional().transform((status) => status ?? 'living'),
    },
    (state, { customer }) => {
      // One that was deleted is known.
      if (typeof customer === 'string' && !state.customers.some(({ id }) => id === customer))
        throw missingParam('customer', customer, 'customer')
      return state.subscriptions
    },
    (subscription, state) => showSubscription(state, subscription),
    ({ customer, items, status }, name, value) => {
      if (name === 'customer') return customer === value
      if (name === 'price') return items.some(({ price }) => price === value)
      if (value === 'all' || value === 'living') return value === 'all' || status !== 'canceled'
      return status === (value === 'ended' ? 'canceled' : value)
    },
  ),
  route('POST /v1/subscriptions/:id', 'subscription', subscriptionChanges, (call, given) => {
    const subscription = find(call)
    updateSubscription(call.state, subscription, given)
    return showSubscription(call.state, subscription)
  }),
  route('DELETE /v1/subscriptions/:id', 'subscription', cancelParams, (call, given) => {
    const { invoice_now = false, prorate = false, cancellation_details: said } = given
    const subscription = find(call)
    // What has ended is as if it were not there.
    if (subscription.status === 'canceled') throw missing('subscription', subscription.id)
    const details = subscription.cancellation_details
    details.comment = said?.comment ?? details.comment
    details.feedback = said?.feedback ?? details.feedback
    cancelNow(call.state, subscription, { invoice_now, prorate })
    return showSubscription(call.state, subscription)
  }),
]
