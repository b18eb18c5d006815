import { z } from 'zod'
import { type Call, missing } from './answer.ts'
import { namedCustomer } from './customer-calls.ts'
import { pageOfList } from './lists.ts'
import { boolean, expand, integer, metadata, orNone, paging, text } from './params.ts'
import type { Subscription } from './records.ts'
import { type Route, route } from './routes.ts'
import { showSubscription } from './show.ts'
import { updateSubscription } from './subscription-update.ts'
import { cancelNow } from './subscriptions.ts'

const cancellation_details = z.strictObject({
  comment: orNone(text).optional(),
  feedback: orNone(
    z.enum([
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ]),
  ).optional(),
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

const statuses = z.enum([
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
])

export const subscriptionRoutes: Route[] = [
  route(['GET', '/v1/subscriptions/:id', 'subscription'], z.strictObject({ expand }), (call) =>
    showSubscription(call.state, find(call)),
  ),
  route(
    ['GET', '/v1/subscriptions', 'list subscription'],
    z.strictObject({
      ...paging,
      customer: text.optional(),
      price: text.optional(),
      status: statuses.optional(),
    }),
    (call, given) => {
      const { customer, price, status } = given
      if (customer !== undefined && !call.state.customers.some(({ id }) => id === customer))
        namedCustomer(call.state, customer)
      const fitting = call.state.subscriptions.filter(
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (price === undefined || one.items.some((item) => item.price === price)) &&
          hasStatus(one, status),
      )
      return pageOfList(call, fitting, given, (one) => showSubscription(call.state, one))
    },
  ),
  route(['POST', '/v1/subscriptions/:id', 'subscription'], subscriptionChanges, (call, given) => {
    const subscription = find(call)
    updateSubscription(call.state, subscription, given)
    return showSubscription(call.state, subscription)
  }),
  route(
    ['DELETE', '/v1/subscriptions/:id', 'subscription'],
    z.strictObject({
      invoice_now: boolean.optional(),
      prorate: boolean.optional(),
      cancellation_details: cancellation_details.optional(),
      expand,
    }),
    (call, { invoice_now = false, prorate = false, cancellation_details: said }) => {
      const subscription = find(call)
      // What has ended is as if it were not there.
      if (subscription.status === 'canceled') throw missing('subscription', subscription.id)
      const { comment, feedback, reason } = subscription.cancellation_details
      subscription.cancellation_details = {
        comment: said?.comment ?? comment,
        feedback: said?.feedback ?? feedback,
        reason,
      }
      cancelNow(call.state, subscription, { invoice_now, prorate })
      return showSubscription(call.state, subscription)
    },
  ),
]

/** Without a word about it, all that have not ended. */
function hasStatus({ status }: Subscription, wanted: z.output<typeof statuses> | undefined): boolean {
  if (wanted === 'all') return true
  if (wanted === undefined) return status !== 'canceled'
  return wanted === 'ended' ? status === 'canceled' : status === wanted
}

function find({ state, params }: Call): Subscription {
  const found = state.subscriptions.find(({ id }) => id === params['id'])
  if (!found) throw missing('subscription', params['id'] ?? '')
  return found
}
