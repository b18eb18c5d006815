import { z } from 'zod'
import { callProviderApi, listAllPages, readHourly } from '../api-client.ts'
import type { Account, Region, ServerImage, ServerType } from '../provider.ts'
import { supportedImages } from '../supported-images.ts'
import { vultrApi as api } from './api.ts'

const region = z.object({
  id: z.string(),
  city: z.string().catch(''),
  country: z.string().nullable().catch(null),
})

export async function listVultrRegions(account: Account): Promise<Region[]> {
  const all = await listAllPages(account, api, '/v2/regions', 'regions', region)
  return all.map(({ id, city, country }) => ({ id, name: city || id, country, available: true }))
}

const cost = z.object({ monthly_cost: z.number(), hourly_cost: z.number().nullable().catch(null) })

const plan = z
  .object({
    id: z.string(),
    vcpu_count: z.number(),
    ram: z.number(),
    disk: z.number(),
    disk_count: z.number().catch(1),
    type: z.string().catch(''),
    locations: z.array(z.string()),
    location_cost: z.record(z.string(), cost).catch({}),
  })
  .and(cost)

export type VultrPlan = z.output<typeof plan>

const listPlans = (account: Account) => listAllPages(account, api, '/v2/plans', 'plans', plan)

function priceIn(region: string, one: VultrPlan) {
  const { monthly_cost, hourly_cost } = one.location_cost[region] ?? one
  return { monthly: monthly_cost, hourly: hourly_cost, taxed: false, currency: 'USD' }
}

export async function fetchPrices(account: Account) {
  const listed = await readHourly(account.ctx.vultrPlans, account, listPlans)
  const plans = new Map(listed.map((vultrPlan) => [vultrPlan.id, vultrPlan]))
  return (type: string | null, region: string | null) => {
    const known = plans.get(type ?? '')
    return known ? priceIn(region ?? '', known) : null
  }
}

const MiB = 1024 ** 2

export async function listVultrTypes(account: Account): Promise<ServerType[]> {
  const plans = (await listPlans(account)).filter(isOfUse)
  const available = await listAvailable(account, [...new Set(plans.flatMap(({ locations }) => locations))])
  return plans.map((plan) => ({
    id: plan.id,
    name: plan.id,
    cpus: plan.vcpu_count,
    cpu_kind: /^(vdc|voc|vx)/.test(plan.id) ? 'dedicated' : 'shared',
    architecture: 'x86_64',
    memory_bytes: Math.round(plan.ram * MiB),
    disk_bytes: Math.round(plan.disk * plan.disk_count * 1024 * MiB),
    regions: plan.locations.map((id) => ({
      id,
      available: available.get(id)?.has(plan.id) ?? true,
      price: priceIn(id, plan),
    })),
  }))
}

/** Excludes GPU plans, plans without IPv4 and plans with too little memory. */
const isOfUse = ({ id, type, ram, locations }: VultrPlan) =>
  type !== 'vcg' && !id.endsWith('-v6') && ram >= 1_000 && locations.length > 0

const availability = z.object({ available_plans: z.array(z.string()) })

/** Limits concurrent calls, because Vultr allows 30 per second and IP address. */
const atOnce = 4

async function listAvailable(account: Account, regions: string[]) {
  const found = new Map<string, Set<string>>()
  for (let from = 0; from < regions.length; from += atOnce)
    await Promise.all(
      regions.slice(from, from + atOnce).map(async (id) => {
        const path = `/v2/regions/${encodeURIComponent(id)}/availability`
        found.set(id, new Set((await callProviderApi(account, api, { path }, availability)).available_plans))
      }),
    )
  return found
}

const system = z.object({ id: z.number(), name: z.string(), arch: z.string() })

export async function listVultrImages(account: Account): Promise<ServerImage[]> {
  const all = await listAllPages(account, api, '/v2/os', 'os', system)
  return supportedImages(
    all
      .filter(({ arch }) => arch === 'x64')
      .map(({ id, name }) => ({ id: String(id), says: name, architecture: 'x86_64' })),
  )
}
