import { z } from 'zod'
import { callProviderApi, listAllPages, readHourly } from '../api-client.ts'
import type { Account, Region, ServerImage, ServerType } from '../provider.ts'
import { supportedImages } from '../supported-images.ts'
import { hetznerApi as api } from './api.ts'

/** Reads the gross price, whose tax depends on the country of the account. */
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

const location = z.object({
  name: z.string(),
  description: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().nullable().catch(null),
})

export async function listHetznerRegions(account: Account): Promise<Region[]> {
  const all = await listAllPages(account, api, '/v1/locations', 'locations', location)
  return all.map(({ name, city, description, country }) => ({
    id: name,
    name: city || description || name,
    country,
    available: true,
  }))
}

const deprecation = z.object({ unavailable_after: z.coerce.date() }).nullable().catch(null)

const type = z.object({
  name: z.string(),
  cores: z.number(),
  memory: z.number(),
  disk: z.number(),
  cpu_type: z.enum(['shared', 'dedicated']).catch('shared'),
  architecture: z.enum(['x86', 'arm']),
  prices,
  locations: z.array(z.object({ name: z.string(), available: z.boolean().catch(true), deprecation })),
})

const GiB = 1024 ** 3

export async function listHetznerTypes(account: Account): Promise<ServerType[]> {
  const pricing = await fetchPricing(account)
  const all = await listAllPages(account, api, '/v1/server_types', 'server_types', type)
  const types = all.map((one) => ({
    id: one.name,
    name: one.name.toUpperCase(),
    cpus: one.cores,
    cpu_kind: one.cpu_type,
    architecture: architectures[one.architecture],
    memory_bytes: Math.round(one.memory * GiB),
    disk_bytes: Math.round(one.disk * GiB),
    regions: one.locations.flatMap(({ name, available, deprecation }) => {
      const price = priceIn(name, one.prices, pricing)
      const isOffered = !deprecation || deprecation.unavailable_after > account.ctx.now()
      return price && isOffered ? [{ id: name, available, price }] : []
    }),
  }))
  return types.filter(({ regions }) => regions.length > 0)
}

const architectures = { x86: 'x86_64', arm: 'aarch64' } as const

const image = z.object({
  name: z.string(),
  description: z.string(),
  architecture: z.enum(['x86', 'arm']).catch('x86'),
  deprecated: z.string().nullable().catch(null),
})

/** Images are identified by name, so that Hetzner picks the one for the architecture. */
export async function listHetznerImages(account: Account): Promise<ServerImage[]> {
  const filters = { type: 'system', status: 'available' }
  const all = await listAllPages(account, api, '/v1/images', 'images', image, filters)
  return supportedImages(
    all
      .filter(({ deprecated }) => !deprecated)
      .map(({ name, description, architecture }) => ({
        id: name,
        says: description,
        architecture: architectures[architecture],
      })),
  )
}

type Prices = z.output<typeof prices>
export interface Pricing {
  currency: string
  ipv4: Prices
}

/** Reads the currency and the price of an IPv4 address, which is billed separately. */
export const fetchPricing = (account: Account): Promise<Pricing> =>
  readHourly(account.ctx.hetznerPricing, account, async (shared) => {
    const reply = await callProviderApi(shared, api, { path: '/v1/pricing' }, pricing)
    const { currency, primary_ips } = reply.pricing
    return { currency, ipv4: primary_ips.find((ip) => ip?.type === 'ipv4')?.prices ?? [] }
  })

export function priceIn(location: string, own: Prices, { currency, ipv4 }: Pricing, hasAddress = true) {
  const server = own.find((candidate) => candidate.location === location)
  if (!server) return undefined
  const address = hasAddress ? ipv4.find((candidate) => candidate.location === location) : undefined
  return {
    monthly: rounded(server.price_monthly + (address?.price_monthly ?? 0)),
    hourly: server.price_hourly === null ? null : rounded(server.price_hourly + (address?.price_hourly ?? 0)),
    taxed: true,
    currency,
  }
}

const rounded = (sum: number) => Math.round(sum * 1e6) / 1e6
