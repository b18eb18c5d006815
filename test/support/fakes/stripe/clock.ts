import { dropHeld } from './held-update.ts'
import { attempt, finalize } from './invoices.ts'
import { expireSession } from './sessions.ts'
import { endSubscription } from './standing.ts'
import type { State } from './state.ts'
import { renew, tellOfTrialEnd, tellsOfTrialEnd } from './subscriptions.ts'

interface Due {
  at: number
  run: () => void
}

/** What is to happen by itself, each thing with its time; at the same time the earlier in the list comes first. */
function listDue(state: State): Due[] {
  const due: Due[] = []
  const add = (at: number | null, run: () => void) => void (at !== null && due.push({ at, run }))
  for (const session of state.sessions)
    if (session.status === 'open') add(session.expires_at, () => expireSession(state, session))
  for (const one of state.subscriptions) {
    if (one.status === 'canceled') continue
    if (one.status === 'trialing' && !one.toldOfTrialEnd)
      add(tellsOfTrialEnd(one), () => tellOfTrialEnd(state, one))
    add(one.cancel_at, () => endSubscription(state, one))
    if (one.pending_update) add(one.pending_update.expires_at, () => dropHeld(state, one))
    if (one.status !== 'paused' && one.status !== 'incomplete')
      add(one.current_period_end, () => renew(state, one))
  }
  for (const invoice of state.invoices) {
    if (invoice.status === 'draft')
      add(invoice.finalizes_at, () => {
        finalize(state, invoice)
        attempt(state, invoice)
      })
    if (invoice.status === 'open') add(invoice.next_payment_attempt, () => void attempt(state, invoice))
  }
  return due
}

/** A clock that goes with the real one, ahead of it by as much as it was put forward. */
export function makeClock() {
  let ahead = 0
  /** Up to when everything is done. */
  let reached = 0
  /** While what is due is done, the time at which it was. */
  let stopped: number | undefined
  const now = () => stopped ?? Math.floor(Date.now() / 1000) + ahead

  /** Does all that is due by now, one after the other, each at its own time. */
  function catchUp(state: State) {
    const until = now()
    for (;;) {
      const [next] = listDue(state)
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at)
      if (!next) break
      stopped = reached = Math.max(next.at, reached)
      next.run()
    }
    stopped = undefined
    reached = until
  }

  return {
    now,
    catchUp,
    advance(state: State, seconds: number) {
      if (seconds < 0) throw new Error('Time goes forward only.')
      catchUp(state)
      ahead += seconds
      catchUp(state)
    },
  }
}
