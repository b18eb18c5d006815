import { z } from 'zod'
import { listAllPages } from '../api-client.ts'
import type { Account, Region, ServerImage, ServerType } from '../provider.ts'
import { supportedImages } from '../supported-images.ts'
import { digitalOceanApi as api } from './api.ts'

export const price = z
  .object({ price_monthly: z.number(), price_hourly: z.number().nullable().catch(null) })
  .transform(({ price_monthly, price_hourly }) => ({
    monthly: price_monthly,
    hourly: price_hourly === null ? null : Math.round(price_hourly * 1e5) / 1e5,
    taxed: false,
    currency: 'USD',
  }))

const region = z.object({
  slug: z.string(),
  name: z.string(),
  available: z.boolean().catch(true),
  sizes: z.array(z.string()).optional().catch(undefined),
})

const askForRegions = (account: Account) => listAllPages(account, api, '/v2/regions', 'regions', region)

const countries: Record<string, string> = {
  ams: 'NL',
  atl: 'US',
  blr: 'IN',
  fra: 'DE',
  lon: 'GB',
  nyc: 'US',
  ric: 'US',
  sfo: 'US',
  sgp: 'SG',
  syd: 'AU',
  tor: 'CA',
}

export async function listDigitalOceanRegions(account: Account): Promise<Region[]> {
  return (await askForRegions(account)).map(({ slug, name, available }) => ({
    id: slug,
    name,
    country: countries[slug.slice(0, 3)] ?? null,
    available,
  }))
}

const size = z
  .object({
    slug: z.string(),
    memory: z.number(),
    vcpus: z.number(),
    disk: z.number(),
    available: z.boolean().catch(true),
    regions: z.array(z.string()),
  })
  .and(price)

const MiB = 1024 ** 2

export async function listDigitalOceanTypes(account: Account): Promise<ServerType[]> {
  const regions = await askForRegions(account)
  const sizes = await listAllPages(account, api, '/v2/sizes', 'sizes', size)
  return sizes
    .filter(({ slug, regions }) => !slug.startsWith('gpu-') && regions.length > 0)
    .map(({ slug, memory, vcpus, disk, available, regions: offered, ...price }) => ({
      id: slug,
      name: slug,
      cpus: vcpus,
      cpu_kind: slug.startsWith('s-') ? 'shared' : 'dedicated',
      architecture: 'x86_64',
      memory_bytes: Math.round(memory * MiB),
      disk_bytes: Math.round(disk * 1024 * MiB),
      regions: regions
        .filter((one) => offered.includes(one.slug))
        .map((one) => ({
          id: one.slug,
          available: available && one.available && (one.sizes?.includes(slug) ?? true),
          price,
        })),
    }))
}

const image = z.object({ slug: z.string(), status: z.string().catch('available') })

export async function listDigitalOceanImages(account: Account): Promise<ServerImage[]> {
  const all = await listAllPages(account, api, '/v2/images', 'images', image, { type: 'distribution' })
  return supportedImages(
    all
      .filter(({ status }) => status === 'available')
      .map(({ slug }) => ({ id: slug, says: slug, architecture: 'x86_64' })),
  )
}
