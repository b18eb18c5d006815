import { z } from 'zod'
import { ask } from '../ask.ts'
import { seldomChanging } from '../seldom-changing.ts'
import { hetznerApi as api } from './api.ts'

/** With taxes, which it knows by where the account is. */
const amount = z.object({ gross: z.coerce.number().nonnegative() }).transform(({ gross }) => gross)

/** In every place another. */
const price = z.object({
  location: z.string(),
  price_monthly: amount,
  price_hourly: amount.nullable().catch(null),
})

/** Some that nobody understands stand in nobody's way. */
export const prices = z
  .array(price.nullable().catch(null))
  .catch([])
  .transform((all) => all.filter((one) => one !== null))

const pricing = z.object({
  pricing: z.object({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .catch('EUR'),
    primary_ips: z.array(z.object({ type: z.string(), prices }).nullable().catch(null)).catch([]),
  }),
})

type Prices = z.output<typeof prices>
export interface Pricing {
  currency: string
  ipv4: Prices
}

/** What stands with no type of server: in which money all prices are, and what an address costs, which is billed beside it. */
export const pricingOf = seldomChanging(async (account): Promise<Pricing> => {
  const { currency, primary_ips } = (await ask(account, api, { path: '/v1/pricing' }, pricing)).pricing
  return { currency, ipv4: primary_ips.find((one) => one?.type === 'ipv4')?.prices ?? [] }
})

/** What a server costs in a place, with its public address where it has one. */
export function priceIn(location: string, own: Prices, { currency, ipv4 }: Pricing, hasAddress = true) {
  const server = own.find((one) => one.location === location)
  if (!server) return undefined
  const address = hasAddress ? ipv4.find((one) => one.location === location) : undefined
  return {
    monthly: rounded(server.price_monthly + (address?.price_monthly ?? 0)),
    hourly: server.price_hourly === null ? null : rounded(server.price_hourly + (address?.price_hourly ?? 0)),
    taxed: true,
    currency,
  }
}

/** Sums of such numbers have a tail that means nothing. */
const rounded = (sum: number) => Math.round(sum * 1e6) / 1e6
