import { z } from 'zod'
import { listAllPages, findInApi } from '../api-client.ts'
import type { Account, Region, ServerImage, ServerType } from '../provider.ts'
import { supportedImages } from '../supported-images.ts'
import { hetznerApi as api, hetznerPage } from './api.ts'
import { priceIn, prices, fetchPricing } from './pricing.ts'

const location = z.object({
  name: z.string(),
  description: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().nullable().catch(null),
})

export async function listHetznerRegions(account: Account): Promise<Region[]> {
  const all = await listAllPages(
    account,
    api,
    { path: '/v1/locations', query: hetznerPage },
    'locations',
    location,
  )
  return all.map(({ name, city, description, country }) => ({
    id: name,
    name: city || description || name,
    country,
    available: true,
  }))
}

const deprecation = z.object({ unavailable_after: z.coerce.date() }).nullable().catch(null)

const type = z.object({
  id: z.number(),
  name: z.string(),
  cores: z.number(),
  memory: z.number(),
  disk: z.number(),
  cpu_type: z.enum(['shared', 'dedicated']).catch('shared'),
  architecture: z.enum(['x86', 'arm']),
  prices,
  deprecation,
  locations: z
    .array(z.object({ name: z.string(), available: z.boolean().optional(), deprecation }))
    .optional()
    .catch(undefined),
})

const GiB = 1024 ** 3

export async function listHetznerTypes(account: Account): Promise<ServerType[]> {
  const pricing = await fetchPricing(account)
  const all = await listAllPages(
    account,
    api,
    { path: '/v1/server_types', query: hetznerPage },
    'server_types',
    type,
  )
  const says = all.some(({ locations }) => locations?.some(({ available }) => available !== undefined))
  const sold = says ? undefined : await listSold(account)
  const types = all.map((one) => ({
    id: one.name,
    name: one.name.toUpperCase(),
    cpus: one.cores,
    cpu_kind: one.cpu_type,
    architecture: architectures[one.architecture],
    memory_bytes: Math.round(one.memory * GiB),
    disk_bytes: Math.round(one.disk * GiB),
    regions: placesOf(one, account.ctx.now()).flatMap(({ name, available }) => {
      const price = priceIn(name, one.prices, pricing)
      return price ? [{ id: name, available: available ?? sold?.get(name)?.has(one.id) ?? true, price }] : []
    }),
  }))
  return types.filter(({ regions }) => regions.length > 0)
}

const architectures = { x86: 'x86_64', arm: 'aarch64' } as const

const placesOf = ({ locations, prices, deprecation }: z.output<typeof type>, now: Date) =>
  (locations ?? prices.map(({ location }) => ({ name: location, available: undefined, deprecation }))).filter(
    (place) => !place.deprecation || place.deprecation.unavailable_after > now,
  )

const datacenters = z.object({
  datacenters: z.array(
    z.object({
      location: z.object({ name: z.string() }),
      server_types: z.object({ available: z.array(z.number()) }),
    }),
  ),
})

async function listSold(account: Account): Promise<Map<string, Set<number>> | undefined> {
  const there = await findInApi(account, api, { path: '/v1/datacenters', query: hetznerPage }, datacenters)
  if (!there) return undefined
  const sold = new Map<string, Set<number>>()
  for (const { location, server_types } of there.datacenters)
    sold.set(location.name, new Set([...(sold.get(location.name) ?? []), ...server_types.available]))
  return sold
}

const image = z.object({
  name: z.string(),
  description: z.string(),
  architecture: z.enum(['x86', 'arm']).catch('x86'),
  deprecated: z.string().nullable().catch(null),
})

/** Hetzner picks the image for the architecture by its name. */
export async function listHetznerImages(account: Account): Promise<ServerImage[]> {
  const query = { ...hetznerPage, type: 'system', status: 'available' }
  const all = await listAllPages(account, api, { path: '/v1/images', query }, 'images', image)
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
