import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text, time } from './shared/ids.ts'
import { page } from './shared/page.ts'

/** What a plan allows; null where it sets no limit. */
export const planLimits = z.object({
  servers: z.number().int().nullable(),
  members: z.number().int().nullable().meta({ description: 'Members, and invites that wait.' }),
  retention_days: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'How long metrics are kept that were recorded under this plan.' }),
})

const money = {
  amount: z.number().int().nullable().meta({ description: "In the currency's smallest unit." }),
  currency: z.string().nullable().meta({ description: 'As `eur`.' }),
  interval: z.enum(['day', 'week', 'month', 'year']).nullable(),
  interval_count: z.number().int().nullable(),
}

export const plan = z.object({
  id: z.string(),
  name: z.string(),
  ...money,
  limits: planLimits,
  why_not: z
    .string()
    .nullable()
    .meta({ description: 'Why it cannot be chosen at the moment, as a sentence.' }),
})

export const subscription = z.object({
  plan: z.object({ id: z.string(), name: z.string() }).nullable().meta({
    description: 'Null where what is paid for at Stripe is none of the plans that are offered here.',
  }),
  stripe_status: z.string().meta({
    description: '`active` while it gives access, also in the days of grace; else the word of Stripe.',
  }),
  status: z
    .string()
    .meta({ description: '`active` or `trialing` while it gives access; else the word of Stripe.' }),
  ...money,
  renews_at: time.nullable().meta({ description: 'When the next payment is due; null when none is.' }),
  cancel_at: time.nullable().meta({ description: 'When it ends, once it was cancelled.' }),
  trial_ends_at: time.nullable(),
  payment_failed_at: time.nullable().meta({ description: 'Since when a payment is owed.' }),
  grace_ends_at: time.nullable().meta({ description: 'Until when it gives access although one is owed.' }),
  pay_url: z.string().nullable().meta({ description: 'Where the payment that is owed can be made.' }),
  owed_amount: z
    .number()
    .int()
    .nullable()
    .meta({ description: "What is owed there, tax included, in the currency's smallest unit." }),
  waiting_change: z
    .object({
      plan: z.object({ id: z.string(), name: z.string() }).nullable(),
      url: z.string().meta({ description: 'Where its payment is confirmed.' }),
      until: time.nullable().meta({ description: 'When it is let go of, if nobody confirms it.' }),
    })
    .nullable()
    .meta({ description: 'A change that is made once its payment is confirmed, as some banks ask for.' }),
})

const usage = z.object({ servers: z.number().int(), members: z.number().int() })
const planChoice = z.strictObject({
  plan_id: text(40, 1).meta({ description: 'Of GET /v1/billing/plans.' }),
})

export const listPlans = endpoint('GET /v1/billing/plans', {
  access: 'workspace.read',
  summary: 'The plans that a workspace can be on, with their prices at Stripe',
  reply: z.object({ plans: z.array(plan), page }),
})

export const getSubscription = endpoint('GET /v1/billing/subscription', {
  access: 'billing.manage',
  summary: 'What the workspace pays for, what that allows, and how much of it is used',
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
  summary: 'What it would cost now, and from the next payment on, to change to another plan',
  query: planChoice,
  reply: z.object({
    change: z.object({
      plan_id: z.string(),
      currency: z.string(),
      due_now: z.number().int().meta({ description: 'Tax included, in the smallest unit.' }),
      credit: z.number().int().meta({ description: 'What is taken off the payments to come.' }),
      next_amount: z.number().int().meta({ description: 'What each later payment is, before tax.' }),
      next_at: time,
    }),
  }),
  limit: 60,
})

export const subscribe = endpoint('POST /v1/billing/subscribe', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary:
    'Choose a plan: without a subscription the answer leads to a page of Stripe to pay on; with one, its plan is changed at once and the difference charged or credited, or, where the card asks for that, as soon as the payment is confirmed on a page of Stripe',
  body: planChoice.extend({
    in_place_of: text(40).nullable().optional().meta({
      description:
        'The plan that was seen being paid for, null for none. Where it is another one by now, nothing is done or charged: 409 `paid_meanwhile`.',
    }),
  }),
  reply: z.object({
    url: z.string().nullable().meta({
      description: 'Where to pay, or to confirm a payment; null when there is nothing to do there.',
    }),
    subscription: subscription.nullable(),
  }),
  idempotent: true,
  limit: 30,
})

export const confirmSubscription = endpoint('POST /v1/billing/confirm', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Back from paying: looks at Stripe at once rather than wait to be told',
  body: z.strictObject({ session_id: text(255, 1) }),
  reply: z.object({
    state: z.enum(['paid', 'processing', 'open', 'expired']).meta({
      description: '`processing`: paid in a manner that takes its time. `open`: not paid yet.',
    }),
    subscription: subscription.nullable(),
  }),
  limit: 60,
})

export const cancelSubscription = endpoint('POST /v1/billing/cancel-subscription', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'End the subscription with the period that is paid for',
  reply: z.object({ subscription }),
  limit: 30,
})

export const resumeSubscription = endpoint('POST /v1/billing/resume-subscription', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'Take back a cancellation before it comes to pass',
  reply: z.object({ subscription }),
  limit: 30,
})

export const openPortal = endpoint('POST /v1/billing/portal', {
  access: 'billing.manage',
  session: true,
  open: true,
  summary: 'A page of Stripe for the card, the address and the invoices; its address lives a few minutes',
  reply: z.object({ url: z.string() }),
  limit: 30,
})
