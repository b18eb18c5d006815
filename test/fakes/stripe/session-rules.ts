import type { z } from 'zod'
import { missingParam, Refusal, refuse } from './answer.ts'
import { namedCustomer } from './customer-calls.ts'
import { day } from './periods.ts'
import type { Price } from './records.ts'
import type { sessionParams } from './session-calls.ts'
import type { State } from './state.ts'

type Given = z.output<typeof sessionParams>

/** What the real one refuses though each parameter by itself is well. */
export function checkSession(state: State, given: Given): { success_url: string } {
  if (given.mode !== 'subscription') throw refuse('This account only sells subscriptions.', 'mode')
  if (!given.success_url)
    throw new Refusal(400, {
      code: 'parameter_missing',
      param: 'success_url',
      message: 'Missing required param: success_url.',
    })
  checkLines(state, given)
  checkCustomer(state, given)
  checkTimes(state, given)
  return { success_url: given.success_url }
}

function checkLines(state: State, { line_items = [] }: Given) {
  if (line_items.length === 0)
    throw refuse('Missing required param: line_items.', 'line_items', 'parameter_missing')
  const prices = line_items.map(({ price, quantity }, index) => {
    if (quantity === undefined)
      throw refuse(
        `Quantity is required. Add \`quantity\` to \`line_items[${index}]\``,
        `line_items[${index}][quantity]`,
      )
    if (quantity < 1)
      throw refuse(
        'This value must be greater than or equal to 1.',
        `line_items[${index}][quantity]`,
        'parameter_invalid_integer',
      )
    return sellablePrice(state, price, `line_items[${index}][price]`)
  })
  if (!prices.some(({ recurring }) => recurring))
    throw refuse(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'line_items',
    )
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw refuse('All prices on a Checkout Session must be in the same currency.', 'line_items')
}

export function sellablePrice({ prices, products }: State, id: string, param: string): Price {
  const price = prices.find((one) => one.id === id && !one.isRemoved)
  if (!price) throw missingParam('price', id, param)
  if (!price.active || !products.find((one) => one.id === price.product)?.active)
    throw refuse('The price specified is inactive. This field only accepts active prices.', param)
  return price
}

function checkCustomer(state: State, given: Given) {
  const { customer, customer_email, customer_update, automatic_tax, tax_id_collection } = given
  if (customer !== undefined && customer_email !== undefined)
    throw refuse('You may only specify one of these parameters: customer, customer_email.', 'customer')
  if (customer === undefined) {
    if (customer_update)
      throw refuse('`customer_update` can only be used with `customer`.', 'customer_update')
    return
  }
  const { address } = namedCustomer(state, customer)
  if (automatic_tax?.enabled && !address?.country && customer_update?.address !== 'auto')
    throw refuse(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      undefined,
      'customer_tax_location_invalid',
    )
  if (tax_id_collection?.enabled && customer_update?.name !== 'auto')
    throw refuse(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    )
}

function checkTimes(state: State, { subscription_data, expires_at }: Given) {
  const { trial_end, trial_period_days } = subscription_data ?? {}
  const now = state.now()
  if (trial_end !== undefined && trial_period_days !== undefined)
    throw refuse(
      'You may only specify one of these parameters: subscription_data[trial_end], subscription_data[trial_period_days].',
      'subscription_data[trial_end]',
    )
  if (trial_end !== undefined && trial_end < now + 2 * day)
    throw refuse(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    )
  if (trial_period_days !== undefined && trial_period_days < 1)
    throw refuse(
      'The minimum number of trial period days is 1. Remove this parameter if you would like to create a session without a trial.',
      'subscription_data[trial_period_days]',
      'parameter_invalid_integer',
    )
  if (expires_at !== undefined && expires_at < now + 1800)
    throw refuse(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  if (expires_at !== undefined && expires_at > now + day)
    throw refuse(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
}
