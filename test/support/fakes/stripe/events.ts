import { isDeepStrictEqual } from 'node:util'
import type { Subscription } from './records.ts'
import { showSubscription } from './show.ts'
import { apiVersion, newId, type State, type StripeEvent } from './state.ts'

/** Something happened: it is written down as it was at that moment, and told. */
export function emit(state: State, type: string, object: object, previous?: object) {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: state.now(),
    data: structuredClone({ object, ...(previous && { previous_attributes: previous }) }),
    livemode: false,
    pending_webhooks: 1,
    request: { ...state.request },
    type,
  }
  state.events.push(event)
  state.tell(event)
}

/** Tells of a change, if it was one, with what was there before. */
export function changing(
  state: State,
  type: string,
  show: () => Record<string, unknown>,
  change: () => void,
): void {
  const before = structuredClone(show())
  change()
  const after = show()
  const previous = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (previous.length > 0)
    emit(state, type, after, Object.fromEntries(previous.map((name) => [name, before[name]])))
}

export const changeSubscription = (state: State, subscription: Subscription, change: Partial<Subscription>) =>
  changing(
    state,
    'customer.subscription.updated',
    () => showSubscription(state, subscription),
    () => void Object.assign(subscription, change),
  )
