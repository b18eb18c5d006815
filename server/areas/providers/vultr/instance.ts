import { z } from 'zod'
import type { CloudServer } from '../provider.ts'
import { findTaggedServerId } from '../tag.ts'
import type { fetchPrices } from './catalogue.ts'

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
export const instance = z.object({
  id: z.string(),
  label: z.string().catch(''),
  hostname: z.string().catch(''),
  status: z.string().catch(''),
  power_status: z.string().catch(''),
  main_ip: z.string().catch(''),
  v6_main_ip: z.string().catch(''),
  region: z.string().nullable().catch(null),
  plan: z.string().nullable().catch(null),
  os: z.string().nullable().catch(null),
  date_created: z.coerce.date().nullable().catch(null),
  tags: z.array(z.string()).catch([]),
})

type Instance = z.output<typeof instance>
type PriceOf = Awaited<ReturnType<typeof fetchPrices>>

export function presentInstance(one: Instance, priceOf: PriceOf | undefined): CloudServer {
  return {
    id: one.id,
    name: one.label || one.hostname || one.id,
    status: statusOf(one),
    // 0.0.0.0 is a placeholder until an address is assigned.
    address: [one.main_ip, one.v6_main_ip].find((address) => address !== '' && address !== '0.0.0.0') ?? null,
    region: one.region,
    type: one.plan,
    image: one.os,
    price: priceOf?.(one.plan, one.region) ?? null,
    created_at: one.date_created,
    madeFor: findTaggedServerId(one.tags),
  }
}

/** `server_status` lags by minutes, so it is ignored. */
function statusOf({ status, power_status }: Instance): CloudServer['status'] {
  if (status === 'pending' || status === 'resizing') return 'starting'
  if (status === 'suspended' || power_status === 'stopped') return 'stopped'
  return status === 'active' && power_status === 'running' ? 'running' : 'unknown'
}
