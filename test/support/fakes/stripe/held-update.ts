import type { z } from 'zod'
import { refuse } from './answer.ts'
import { changeSubscription } from './events.ts'
import { attempt, draftInvoice, finalize, voidInvoice } from './invoices.ts'
import type { Plan } from './proration.ts'
import type { Invoice, Subscription } from './records.ts'
import type { State } from './state.ts'
import type { subscriptionChanges } from './subscription-calls.ts'

type Given = z.output<typeof subscriptionChanges>

/** What can wait for a payment: what asks for one, and by now the end of the period and the metadata. */
const holdable = new Set([
  'items',
  'proration_behavior',
  'proration_date',
  'payment_behavior',
  'trial_end',
  'cancel_at_period_end',
  'metadata',
  'expand',
])

export function checkHeld(given: Given) {
  if (given.payment_behavior !== 'pending_if_incomplete') return
  const wrong = Object.entries(given).filter(([name, value]) => value !== undefined && !holdable.has(name))
  const [param] = wrong.map(([name]) => name)
  if (param !== undefined)
    throw refuse(
      `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you cannot pass \`${param}\`.`,
      param,
    )
}

/** Nothing changes until it is paid, within 23 hours and this period. */
export function holdUpdate(state: State, subscription: Subscription, given: Given, plan: Plan) {
  const lines = [...subscription.pending.splice(0), ...plan.lines]
  const invoice: Invoice = draftInvoice(state, subscription, lines, 'subscription_update')
  invoice.auto_advance = false
  changeSubscription(state, subscription, {
    pending_update: {
      items: plan.items,
      period: plan.period,
      cancel_at_period_end: given.cancel_at_period_end ?? null,
      expires_at: Math.min(state.now() + 23 * 3600, subscription.current_period_end),
      invoice: invoice.id,
    },
  })
  finalize(state, invoice)
  attempt(state, invoice)
}

/** Another change takes the place of the one that waits, and so does the end of its time. */
export function dropHeld(state: State, { pending_update }: Subscription) {
  const invoice = state.invoices.find(({ id }) => id === pending_update?.invoice)
  if (invoice?.status === 'open') voidInvoice(state, invoice)
}
