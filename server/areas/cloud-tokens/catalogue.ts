import type { Context } from '../../context.ts'
import { KeptAnswers } from '../../platform/kept-answers.ts'
import { TokenRefused } from '../providers/cloud-errors.ts'
import type { Account, Datacenter, Provider, Region, ServerImage, ServerType } from '../providers/provider.ts'
import { accountOf, type CloudTokenRow, getProvider } from './cloud-token.ts'
import { noteRefused } from './noted.ts'

const minute = 60_000

/** So many lists of each kind: with hundreds of types, they are long. */
const most = 50

/** What clouds offer, as they said it of late, in this process. Types sell out while one looks at them. */
const makeAnswers = () => ({
  regions: new KeptAnswers<Region[]>(5 * minute, most),
  datacenters: new KeptAnswers<Datacenter[]>(5 * minute, most),
  types: new KeptAnswers<ServerType[]>(minute, most),
  images: new KeptAnswers<ServerImage[]>(5 * minute, most),
})

const known = new WeakMap<Context, ReturnType<typeof makeAnswers>>()

function answersOf(ctx: Context) {
  const answers = known.get(ctx) ?? makeAnswers()
  known.set(ctx, answers)
  return answers
}

export const listRegions = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, answersOf(ctx).regions, (provider, account) => provider.listRegions(account))

export const listDatacenters = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, answersOf(ctx).datacenters, (provider, account) => provider.listDatacenters(account))

export const listTypes = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, answersOf(ctx).types, (provider, account) => provider.listTypes(account))

export const listImages = (ctx: Context, row: CloudTokenRow) =>
  read(ctx, row, answersOf(ctx).images, (provider, account) => provider.listImages(account))

/** Who asks first asks for all who wait, and so for nobody in particular: it goes on when they leave. */
async function read<T>(
  ctx: Context,
  row: CloudTokenRow,
  kept: KeptAnswers<T>,
  ask: (provider: Provider, account: Account) => Promise<T>,
): Promise<T> {
  try {
    // Another token in its place may be of another account.
    const key = `${row.id} ${row.token_sealed}`
    const { value } = await kept.get(key, () => ask(getProvider(row.provider), accountOf(ctx, row)), never)
    return value
  } catch (error) {
    if (error instanceof TokenRefused) await noteRefused(ctx, row, error.message)
    throw error
  }
}

/** What was offered a while ago is nothing to choose from. */
const never = () => false
