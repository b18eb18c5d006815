import { invalidRequest, noSuch } from './errors.ts'
import type { Price, Recurring } from './records.ts'
import { getNamed, type Route, route } from './routes.ts'
import { type ApiObject, present } from './schema.ts'
import { newId, type State } from './state.ts'

const limits = { servers: 10, members: 5, retention_days: 30 }

/** The setting PLANS of Slipway, for the prices on sale here. */
export const plans = [
  { ...limits, id: 'pro', name: 'Pro', price: 'price_pro' },
  { ...limits, id: 'team', name: 'Team', price: 'price_team', servers: null, members: null },
  { id: 'hobby', name: 'Hobby', price: 'price_hobby', servers: 1, members: 1, retention_days: 7 },
  { ...limits, id: 'pro_yearly', name: 'Pro, yearly', price: 'price_pro_yearly' },
]

const monthly: Recurring = { interval: 'month', interval_count: 1 }

export function addPrice(
  state: State,
  id: string,
  { name = id, ...values }: Partial<Price> & { name?: string },
): Price {
  const price: Price = {
    id,
    created: state.now(),
    product: newId('prod', 14),
    productName: name,
    currency: 'usd',
    unit_amount: 2900,
    recurring: monthly,
    active: true,
    ...values,
  }
  state.prices.push(price)
  return price
}

export function addDefaultPrices(state: State) {
  addPrice(state, 'price_pro', { name: 'Pro' })
  addPrice(state, 'price_team', { name: 'Team', unit_amount: 9900 })
  addPrice(state, 'price_hobby', { name: 'Hobby', unit_amount: 900 })
  const recurring: Recurring = { interval: 'year', interval_count: 1 }
  addPrice(state, 'price_pro_yearly', { name: 'Pro, yearly', unit_amount: 29_000, recurring })
}

export const priceRoutes: Route[] = [
  route(
    'GET /v1/prices/:id',
    (call, { expand }: { expand?: string[] }) => {
      const onSale = call.state.prices.filter(({ isRemoved }) => !isRemoved)
      const price = getNamed(call, onSale, 'price', 'price')
      return present('Price', {
        ...describePrice(price),
        ...(expand && { currency_options: describeCurrencies(price) }),
      })
    },
    ['currency_options'],
  ),
]

/** The values of a price as `present` takes them. */
export const describePrice = (price: Price): ApiObject => ({
  ...price,
  // Currency options are included only if expanded.
  currency_options: undefined,
  recurring: { ...price.recurring, usage_type: 'licensed' },
  billing_scheme: 'per_unit',
  type: 'recurring',
  unit_amount_decimal: String(price.unit_amount),
})

/** The price's own currency is among them. */
const describeCurrencies = ({ currency, unit_amount, currency_options }: Price) =>
  Object.fromEntries(
    Object.entries({ ...currency_options, [currency]: unit_amount }).map(([name, amount]) => [
      name,
      {
        custom_unit_amount: null,
        tax_behavior: null,
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      },
    ]),
  )

/** The price that a parameter names, which has to be on sale. */
export function getActivePrice({ prices }: State, id: string, param: string): Price {
  const price = prices.find((one) => one.id === id && !one.isRemoved)
  if (!price) throw noSuch(400, 'price', id, param)
  if (!price.active)
    throw invalidRequest('The price specified is inactive. This field only accepts active prices.', param)
  return price
}

/** Undefined if the price is not sold in that currency. */
export const amountIn = (price: Price, currency: string): number | undefined =>
  currency === price.currency ? price.unit_amount : price.currency_options?.[currency]
