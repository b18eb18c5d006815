import { expireSession } from './checkout.ts'
import { attemptPayment, collect } from './invoices.ts'
import type { State } from './state.ts'
import { cancelNow } from './subscription-status.ts'
import { dropPendingUpdate } from './subscription-update.ts'
import { renew } from './subscriptions.ts'

interface Due {
  at: number
  run: () => void
}

/** Lists what is scheduled; of what is due at the same time the first runs first. */
function listDue(state: State): Due[] {
  const due: Due[] = []
  const add = (at: number | null, run: () => void) => void (at !== null && due.push({ at, run }))
  for (const session of state.sessions)
    if (session.status === 'open') add(session.expires_at, () => expireSession(state, session))
  for (const subscription of state.subscriptions) {
    if (subscription.status === 'canceled') continue
    const { cancel_at, pending_update, current_period_end } = subscription
    add(cancel_at, () => cancelNow(state, subscription))
    add(pending_update?.expires_at ?? null, () => dropPendingUpdate(state, subscription))
    add(current_period_end, () => renew(state, subscription))
  }
  for (const invoice of state.invoices) {
    if (invoice.status === 'draft') add(invoice.automatically_finalizes_at, () => collect(state, invoice))
    if (invoice.status === 'open') add(invoice.next_payment_attempt, () => attemptPayment(state, invoice))
  }
  return due
}

/** A clock that runs with the real one, ahead of it by what tests advance it. */
export function createClock() {
  let ahead = 0
  let reached = 0
  /** While scheduled work runs, the time for which it was scheduled. */
  let frozen: number | undefined
  const now = () => frozen ?? Math.floor(Date.now() / 1000) + ahead

  function catchUp(state: State) {
    const until = now()
    for (;;) {
      const [next] = listDue(state)
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at)
      if (!next) break
      frozen = reached = Math.max(next.at, reached)
      next.run()
    }
    frozen = undefined
    reached = until
  }

  return {
    now,
    /** Runs everything that is due, each at its own time. */
    catchUp,
    advance(state: State, seconds: number) {
      catchUp(state)
      ahead += seconds
      catchUp(state)
    },
  }
}
