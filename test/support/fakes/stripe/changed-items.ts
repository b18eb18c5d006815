import type { z } from 'zod'
import { missingParam, refuse } from './answer.ts'
import { merge } from './customer-calls.ts'
import { amountIn, rhythmOf } from './proration.ts'
import type { Item, Subscription } from './records.ts'
import { sellablePrice } from './session-calls.ts'
import { newId, type State } from './state.ts'
import type { changedItems } from './subscription-calls.ts'

/** One without an id is added to those that are there, which is seldom what was meant. */
export function changeItems(
  state: State,
  { items, currency }: Subscription,
  changes: z.output<typeof changedItems>,
  within: string,
): Item[] {
  const changed = items.map((item) => ({ ...item }))
  for (const [index, { id, price, quantity, deleted, metadata }] of changes.entries()) {
    const param = (name: string) => `${within}[${index}][${name}]`
    if (price !== undefined) checkPrice(state, price, currency, param('price'))
    const at = changed.findIndex((one) => one.id === id)
    const there = changed[at]
    if (id !== undefined && !there) throw missingParam('subscription_item', id, param('id'))
    if (there && deleted) changed.splice(at, 1)
    else if (there)
      Object.assign(there, {
        price: price ?? there.price,
        quantity: quantity ?? there.quantity,
        metadata: merge(there.metadata, metadata),
      })
    else if (price === undefined)
      throw refuse('You must pass a price for a new item.', param('price'), 'parameter_missing')
    else if (changed.some((one) => one.price === price))
      throw refuse(`Cannot add multiple subscription items with the same plan: ${price}`, param('price'))
    else
      changed.push({
        id: newId('si', 14),
        price,
        quantity: quantity ?? 1,
        created: state.now(),
        metadata: merge({}, metadata),
      })
  }
  if (changed.length === 0)
    throw refuse('A subscription must have at least one active plan. To cancel, use the cancel API.', within)
  const rhythms = new Set(changed.map((one) => JSON.stringify(rhythmOf(state, [one]))))
  if (rhythms.size > 1) throw refuse('All prices of this subscription must have the same interval.', within)
  return changed
}

function checkPrice(state: State, id: string, currency: string, param: string) {
  const price = sellablePrice(state, id, param)
  if (!price.recurring)
    throw refuse(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      param,
    )
  if (amountIn(price, currency) === undefined)
    throw refuse(
      `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${currency}\`.`,
      param,
    )
}
