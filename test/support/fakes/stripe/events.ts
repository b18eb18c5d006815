import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from './schema.ts'
import { apiVersion, newId, type State, type StripeEvent } from './state.ts'

/** Records an event with a snapshot of the object, and delivers it. */
export function emit(state: State, type: string, object: ApiObject, previous?: ApiObject) {
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
  state.deliver(event)
}

/** Changes a record, and emits an event with the previous attributes unless nothing changed. */
export function update<T extends object>(
  state: State,
  type: string,
  record: T,
  changes: Partial<T>,
  present: (state: State, record: T) => ApiObject,
) {
  const before = structuredClone(present(state, record))
  Object.assign(record, changes)
  const after = present(state, record)
  const changed = Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, after[name]))
  if (changed.length > 0) emit(state, type, after, Object.fromEntries(changed))
}
