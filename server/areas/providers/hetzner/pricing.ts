import { z } from 'zod'
import { callProviderApi } from '../api-client.ts'
import { cachedHourly } from '../hourly-cache.ts'
import { hetznerApi as api } from './api.ts'

/** Gross prices depend on the country of the account. */
const amount = z.object({ gross: z.coerce.number().nonnegative() }).transform(({ gross }) => gross)

const price = z.object({
  location: z.string(),
  price_monthly: amount,
  price_hourly: amount.nullable().catch(null),
})

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

/** Reads the currency and the price of an IPv4 address, which is billed separately. */
export const fetchPricing = cachedHourly(async (account): Promise<Pricing> => {
  const { currency, primary_ips } = (await callProviderApi(account, api, { path: '/v1/pricing' }, pricing))
    .pricing
  return { currency, ipv4: primary_ips.find((one) => one?.type === 'ipv4')?.prices ?? [] }
})

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

/** Rounds floating-point sums. */
const rounded = (sum: number) => Math.round(sum * 1e6) / 1e6
