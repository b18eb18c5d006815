import { z } from 'zod'
import type { CloudServer } from '../provider.ts'
import { priceIn, prices, type Pricing } from './pricing.ts'

export const label = 'slipway'

const address = z.object({ ip: z.string() }).nullable().catch(null)
const place = z.object({ name: z.string() }).optional().catch(undefined)

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
export const server = z.object({
  id: z.number(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  created: z.coerce.date().nullable().catch(null),
  public_net: z.object({ ipv4: address, ipv6: address }).catch({ ipv4: null, ipv6: null }),
  location: place,
  datacenter: z.object({ location: place }).optional().catch(undefined),
  server_type: z.object({ name: z.string(), prices }).nullable().catch(null),
  image: z
    .object({ name: z.string().nullable().catch(null), description: z.string().catch('') })
    .nullable()
    .catch(null),
  labels: z.record(z.string(), z.string()).catch({}),
})

const statuses: Record<string, CloudServer['status']> = {
  running: 'running',
  initializing: 'starting',
  starting: 'starting',
  rebuilding: 'starting',
  migrating: 'starting',
  stopping: 'stopped',
  off: 'stopped',
  deleting: 'deleted',
}

export function presentHetznerServer(
  one: z.output<typeof server>,
  pricing: Pricing | undefined,
): CloudServer {
  const { ipv4, ipv6 } = one.public_net
  const region = (one.location ?? one.datacenter?.location)?.name ?? null
  const own = one.server_type?.prices ?? []
  return {
    id: String(one.id),
    name: one.name || String(one.id),
    status: statuses[one.status] ?? 'unknown',
    address: ipv4?.ip ?? (ipv6 ? hostOf(ipv6.ip) : null),
    region,
    type: one.server_type?.name ?? null,
    image: one.image?.description || one.image?.name || null,
    price: (region && pricing && priceIn(region, own, pricing, ipv4 !== null)) || null,
    created_at: one.created,
    madeFor: one.labels[label] ?? null,
  }
}

const hostOf = (network: string) => network.replace(/::\/\d+$/, '::1')
