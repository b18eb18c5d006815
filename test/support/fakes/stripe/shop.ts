import type { Interval, Price, Product } from './records.ts'

/** What Slipway is told of the plans that are sold here. */
export const plans = [
  { id: 'pro', name: 'Pro', price: 'price_pro', servers: 10, members: 5, retention_days: 30 },
  { id: 'team', name: 'Team', price: 'price_team', servers: null, members: null, retention_days: 30 },
  { id: 'hobby', name: 'Hobby', price: 'price_hobby', servers: 1, members: 1, retention_days: 7 },
  {
    id: 'pro_yearly',
    name: 'Pro, yearly',
    price: 'price_pro_yearly',
    servers: 10,
    members: 5,
    retention_days: 30,
  },
]

const goods: [price: string, product: string, name: string, cents: number, interval: Interval][] = [
  ['price_pro', 'prod_pro', 'Pro', 2900, 'month'],
  ['price_team', 'prod_team', 'Team', 9900, 'month'],
  ['price_hobby', 'prod_hobby', 'Hobby', 900, 'month'],
  ['price_pro_yearly', 'prod_pro_yearly', 'Pro, yearly', 29_000, 'year'],
]

export function stock(created: number): { prices: Price[]; products: Product[] } {
  const about = { active: true, created, metadata: {} }
  return {
    prices: goods.map(([id, product, , unit_amount, interval]) => ({
      id,
      product,
      currency: 'usd',
      unit_amount,
      recurring: { interval, interval_count: 1 },
      lookup_key: null,
      nickname: null,
      ...about,
    })),
    products: goods.map(([, id, name]) => ({ id, name, description: null, ...about })),
  }
}
