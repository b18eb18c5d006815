import type { z } from 'zod'
import { declines, noCard, Refusal, refuse } from './answer.ts'
import { changeItems } from './changed-items.ts'
import { changeSubscription } from './events.ts'
import { attempt, customerOf, draftInvoice, finalize, writeInvoice } from './invoices.ts'
import { merge } from './customer-calls.ts'
import { checkHeld, dropHeld, holdUpdate } from './held-update.ts'
import { type Plan, planChange, settle } from './proration.ts'
import type { Subscription } from './records.ts'
import type { State } from './state.ts'
import type { subscriptionChanges } from './subscription-calls.ts'

type Given = z.output<typeof subscriptionChanges>

/** All of it or nothing. */
export function updateSubscription(state: State, subscription: Subscription, given: Given) {
  checkChange(state, subscription, given)
  checkHeld(given)
  const plan = planOf(state, subscription, given)
  const isOwing = plan.isInvoicedNow && wouldFail(state, subscription, plan)
  if (isOwing && given.payment_behavior === 'error_if_incomplete') throw isOwing
  if (given.items) dropHeld(state, subscription)
  if (isOwing && given.payment_behavior === 'pending_if_incomplete')
    return holdUpdate(state, subscription, given, plan)
  const pending = plan.isInvoicedNow ? [] : [...subscription.pending, ...plan.lines]
  const due = plan.isInvoicedNow ? [...subscription.pending, ...plan.lines] : []
  changeSubscription(state, subscription, {
    items: plan.items,
    pending,
    ...periodOf(subscription, plan, given),
    ...factsOf(state, subscription, given, plan),
  })
  if (due.length === 0) return
  const invoice = draftInvoice(state, subscription, due, 'subscription_update')
  finalize(state, invoice)
  attempt(state, invoice)
}

function checkChange(state: State, subscription: Subscription, given: Given) {
  const { metadata: _, cancellation_details: __, expand: ___, ...more } = given
  const said = Object.values(more).some((value) => value !== undefined)
  if (subscription.status === 'canceled' && said)
    throw refuse('A canceled subscription can only update its cancellation_details and metadata.')
  if (given.cancel_at !== undefined && given.cancel_at_period_end !== undefined)
    throw refuse(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'cancel_at',
    )
  if (typeof given.cancel_at === 'number' && given.cancel_at <= state.now())
    throw refuse('Invalid timestamp: must be an integer Unix timestamp in the future.', 'cancel_at')
  if (typeof given.trial_end === 'number' && given.trial_end <= state.now())
    throw refuse('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end')
  const { current_period_start: start, current_period_end: end } = subscription
  const at = given.proration_date
  if (at !== undefined && (at < start || at > end))
    throw refuse(
      'Cannot specify a proration date outside of the current period.',
      'subscription_proration_date',
    )
}

export function planOf(
  state: State,
  subscription: Subscription,
  {
    items,
    proration_behavior,
    proration_date,
    trial_end,
  }: Pick<Given, 'items' | 'proration_behavior' | 'proration_date' | 'trial_end'>,
  within = 'items',
): Plan {
  return planChange(state, subscription, changeItems(state, subscription, items ?? [], within), {
    behavior: proration_behavior ?? 'create_prorations',
    at: proration_date ?? state.now(),
    endsTrial: trial_end === 'now' && subscription.status === 'trialing',
  })
}

/** What the card would say to what is due now, without trying it. */
function wouldFail(state: State, subscription: Subscription, plan: Plan): Refusal | undefined {
  const customer = customerOf(state, subscription)
  const due = [...subscription.pending, ...plan.lines]
  const { total } = writeInvoice(state, subscription, due, 'subscription_update', { start: 0, end: 0 })
  if (settle(total, customer.balance).amount_due === 0) return undefined
  if (!customer.card) return noCard()
  const { kind } = customer.card
  return kind === 'ok' ? undefined : new Refusal(402, { type: 'card_error', param: '', ...declines[kind] })
}

function periodOf(subscription: Subscription, { period }: Plan, { trial_end }: Given): Partial<Subscription> {
  if (typeof trial_end === 'number')
    return {
      status: 'trialing',
      trial_start: subscription.trial_start ?? subscription.created,
      trial_end,
      toldOfTrialEnd: false,
      current_period_end: trial_end,
      billing_cycle_anchor: trial_end,
    }
  if (!period) return {}
  const isTrialOver = subscription.status === 'trialing'
  return {
    current_period_start: period.start,
    current_period_end: period.end,
    billing_cycle_anchor: period.start,
    ...(isTrialOver && { status: 'active', trial_end: period.start }),
  }
}

function factsOf(
  state: State,
  subscription: Subscription,
  given: Given,
  { period }: Plan,
): Partial<Subscription> {
  const { description, automatic_tax, cancellation_details: said } = given
  const cancellation = cancellationOf(
    state,
    subscription,
    given,
    period?.end ?? subscription.current_period_end,
  )
  return {
    metadata: merge(subscription.metadata, given.metadata),
    ...(description !== undefined && { description }),
    ...(automatic_tax && { automatic_tax: automatic_tax.enabled }),
    ...cancellation,
    ...(said && {
      cancellation_details: {
        ...(cancellation.cancellation_details ?? subscription.cancellation_details),
        ...(said.comment !== undefined && { comment: said.comment }),
        ...(said.feedback !== undefined && { feedback: said.feedback }),
      },
    }),
  }
}

/** With either word it is set; a time that was named is only taken away by an empty one. */
export function cancellationOf(
  state: State,
  subscription: Subscription,
  given: Pick<Given, 'cancel_at' | 'cancel_at_period_end'>,
  end: number,
): Partial<Subscription> {
  const { cancel_at, cancel_at_period_end = subscription.cancel_at_period_end } = given
  if (cancel_at === undefined && given.cancel_at_period_end === undefined)
    return cancel_at_period_end ? { cancel_at: end } : {}
  if (cancel_at === undefined && !cancel_at_period_end && !subscription.cancel_at_period_end) return {}
  const at =
    cancel_at === undefined
      ? cancel_at_period_end
        ? end
        : null
      : typeof cancel_at === 'string'
        ? end
        : cancel_at
  return {
    cancel_at: at,
    cancel_at_period_end: cancel_at === undefined && cancel_at_period_end,
    canceled_at: at === null ? null : state.now(),
    cancellation_details: {
      ...subscription.cancellation_details,
      reason: at === null ? null : 'cancellation_requested',
    },
  }
}
