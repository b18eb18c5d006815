import type { Context } from '../../context.ts'
import { StaleCache } from '../../platform/cache.ts'
import { TokenRefused } from '../providers/cloud-errors.ts'
import type { Account, Provider, Region, ServerImage, ServerType } from '../providers/provider.ts'
import { toProviderAccount, type CloudTokenRow, getProvider } from './cloud-token.ts'
import { markTokenRejected } from './token-status.ts'

const minute = 60_000

const most = 50

/** Caches catalogs per process, briefly, because types sell out. */
export const createCloudCatalogs = () => ({
  regions: new StaleCache<Region[]>(5 * minute, most),
  types: new StaleCache<ServerType[]>(minute, most),
  images: new StaleCache<ServerImage[]>(5 * minute, most),
})

export const listCloudRegions = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, ctx.cloudCatalogs.regions, (provider, account) => provider.listRegions(account))

/** Returns one datacenter per region, because providers no longer divide their regions. */
export async function listDatacenters(ctx: Context, row: CloudTokenRow) {
  const regions = await listCloudRegions(ctx, row)
  return regions.map(({ id, name }) => ({ id, name, region: id }))
}

export const listCloudTypes = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, ctx.cloudCatalogs.types, (provider, account) => provider.listTypes(account))

export const listCloudImages = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, ctx.cloudCatalogs.images, (provider, account) => provider.listImages(account))

/** The first caller fetches for all, so the request is not tied to its signal. */
async function read<T>(
  ctx: Context,
  row: CloudTokenRow,
  kept: StaleCache<T>,
  ask: (provider: Provider, account: Account) => Promise<T>,
): Promise<T> {
  try {
    // The key includes the token, because a replacement may belong to another account.
    const key = `${row.id} ${row.token_sealed}`
    const { value } = await kept.get(
      key,
      () => ask(getProvider(row.provider), toProviderAccount(ctx, row)),
      never,
    )
    return value
  } catch (error) {
    if (error instanceof TokenRefused) await markTokenRejected(ctx, row, error.message)
    throw error
  }
}

const never = () => false
