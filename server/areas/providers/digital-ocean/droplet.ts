import { z } from 'zod'
import type { CloudServer } from '../provider.ts'
import { findTaggedServerId } from '../tag.ts'

const named = z
  .object({ slug: z.string().nullable().catch(null) })
  .nullable()
  .catch(null)
const address = z.object({ ip_address: z.string(), type: z.string() })
const addresses = z.array(address.nullable().catch(null)).catch([])

export const price = z
  .object({ price_monthly: z.number(), price_hourly: z.number().nullable().catch(null) })
  .transform(({ price_monthly, price_hourly }) => ({
    monthly: price_monthly,
    hourly: price_hourly === null ? null : Math.round(price_hourly * 1e5) / 1e5,
    taxed: false,
    currency: 'USD',
  }))

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
export const droplet = z.object({
  id: z.number(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  created_at: z.coerce.date().nullable().catch(null),
  networks: z.object({ v4: addresses, v6: addresses }).catch({ v4: [], v6: [] }),
  region: named,
  size_slug: z.string().nullable().catch(null),
  size: price.nullable().catch(null),
  image: z
    .object({ distribution: z.string().catch(''), name: z.string().catch('') })
    .nullable()
    .catch(null),
  tags: z.array(z.string()).catch([]),
})

const statuses: Record<string, CloudServer['status']> = {
  new: 'starting',
  active: 'running',
  off: 'stopped',
  archive: 'stopped',
}

export function presentDroplet(one: z.output<typeof droplet>): CloudServer {
  const { v4, v6 } = one.networks
  // Skip private addresses, which may come first.
  const outside = [...v4, ...v6].find((each) => each?.type === 'public')
  return {
    id: String(one.id),
    name: one.name || String(one.id),
    status: statuses[one.status] ?? 'unknown',
    address: outside?.ip_address ?? null,
    region: one.region?.slug ?? null,
    type: one.size_slug,
    image: `${one.image?.distribution ?? ''} ${one.image?.name ?? ''}`.trim() || null,
    price: one.size,
    created_at: one.created_at,
    madeFor: findTaggedServerId(one.tags),
  }
}
