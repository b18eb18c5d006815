import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text, time } from './shared/text-fields.ts'
import { page } from './shared/replies.ts'

export const planLimits = z.object({
  servers: z.int().nullable(),
  members: z.int().nullable().describe('Maximum number of members and pending invites; null for no limit.'),
  retention_days: z
    .int()
    .nullable()
    .describe('Number of days for which metrics are kept; null for no limit.'),
})

const money = {
  amount: z.int().nullable().describe('Price in the smallest unit of the currency, such as cents.'),
  currency: z.string().nullable().describe('ISO currency code in lower case, such as `eur`.'),
  interval: z.enum(['day', 'week', 'month', 'year']).nullable(),
  interval_count: z.int().nullable(),
}

export const plan = z.object({
  id: z.string(),
  name: z.string(),
  ...money,
  limits: planLimits,
  unavailable_reason: z.string().nullable().describe('Why the plan is unavailable; null if it is available.'),
})

export const subscription = z.object({
  plan: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('Current plan; null if the subscription in Stripe matches none of the configured plans.'),
  stripe_status: z
    .string()
    .describe(
      '`active` while the subscription gives access, including the grace period; otherwise the status in Stripe.',
    ),
  status: z
    .string()
    .describe('`active` or `trialing` while the subscription gives access; otherwise the status in Stripe.'),
  ...money,
  renews_at: time.nullable().describe('When the next payment is due, if any.'),
  cancel_at: time.nullable().describe('When a canceled subscription ends.'),
  trial_ends_at: time.nullable(),
  payment_failed_at: time
    .nullable()
    .describe('When the payment became overdue; null if no payment is overdue.'),
  grace_ends_at: time.nullable().describe('End of the grace period of an overdue payment.'),
  pay_url: z.string().nullable().describe('Payment page of the overdue invoice.'),
  amount_due: z
    .int()
    .nullable()
    .describe('Overdue amount including tax, in the smallest unit of the currency.'),
  pending_change: z
    .object({
      plan: z.object({ id: z.string(), name: z.string() }).nullable(),
      url: z.string().describe('Page to confirm the payment.'),
      until: time.nullable().describe('When the change expires if the payment is not confirmed.'),
    })
    .nullable()
    .describe('Pending plan change. It applies once its payment is confirmed, which some banks require.'),
})

const usage = z.object({ servers: z.int(), members: z.int() })
const planChoice = z.strictObject({
  plan_id: text(40, 1).describe('ID of a plan from GET /v1/billing/plans.'),
})

export const listPlans = endpoint('GET /v1/billing/plans', {
  access: 'workspace.read',
  summary: 'List the plans with their prices',
  reply: z.object({ plans: z.array(plan), page }),
})

export const getSubscription = endpoint('GET /v1/billing/subscription', {
  access: 'billing.manage',
  summary: 'Get the subscription, limits and usage of the workspace',
  reply: z.object({
    subscription: subscription.nullable(),
    on_trial: z.boolean(),
    trial_ends_at: time.nullable(),
    limits: planLimits,
    usage,
  }),
})

export const previewChange = endpoint('GET /v1/billing/change', {
  access: 'billing.manage',
  summary: 'Preview the cost of a plan change',
  query: planChoice,
  reply: z.object({
    change: z.object({
      plan_id: z.string(),
      currency: z.string(),
      due_now: z.int().describe('Amount due now, including tax, in the smallest unit of the currency.'),
      credit: z.int().describe('Credit applied to future payments, in the smallest unit of the currency.'),
      next_amount: z
        .int()
        .describe('Amount of each later payment before tax, in the smallest unit of the currency.'),
      next_at: time,
    }),
  }),
  limit: 60,
})

export const subscribe = endpoint('POST /v1/billing/subscribe', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Choose a plan',
  description:
    'Without a subscription, the response contains the URL of Stripe Checkout. With a subscription, the plan changes immediately and the difference is charged or credited. If the card requires confirmation, the plan changes once the payment is confirmed in Stripe.',
  body: planChoice.extend({
    expected_plan_id: text(40)
      .nullable()
      .optional()
      .describe(
        'ID of the plan that the client expects to be current; null for none. If the plan has changed, the request fails with 409 `paid_meanwhile` and nothing is charged.',
      ),
  }),
  reply: z.object({
    url: z.string().nullable().describe('Page to pay or to confirm the payment; null if neither is needed.'),
    subscription: subscription.nullable(),
  }),
  idempotent: true,
  limit: 30,
})

export const confirmSubscription = endpoint('POST /v1/billing/confirm', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Confirm a checkout',
  description: 'Fetches the status from Stripe instead of waiting for the webhook.',
  body: z.strictObject({ session_id: text(255, 1) }),
  reply: z.object({
    state: z
      .enum(['paid', 'processing', 'open', 'expired'])
      .describe('`processing`: the payment method takes time to settle. `open`: not paid yet.'),
    subscription: subscription.nullable(),
  }),
  limit: 60,
})

export const cancelSubscription = endpoint('POST /v1/billing/cancel-subscription', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Cancel the subscription',
  description: 'The plan stays active until the end of the paid period.',
  reply: z.object({ subscription }),
  limit: 30,
})

export const resumeSubscription = endpoint('POST /v1/billing/resume-subscription', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Resume a canceled subscription',
  description: 'Possible until the subscription ends.',
  reply: z.object({ subscription }),
  limit: 30,
})

export const openPortal = endpoint('POST /v1/billing/portal', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Open the Stripe customer portal',
  description: 'The portal manages card, address and invoices. The URL expires after a few minutes.',
  reply: z.object({ url: z.string() }),
  limit: 30,
})
