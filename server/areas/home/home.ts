import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { findAttention } from './attention.ts'
import { readCounts } from './store.ts'

const countedDays = 30
/** More than anybody reads at once. */
const most = 20

export async function getHome(ctx: Context, { workspace }: Actor) {
  const since = new Date(ctx.now().getTime() - countedDays * 86_400_000)
  const counts = await readCounts(ctx.db, workspace.id, since)
  const attention = await findAttention(ctx, workspace.id, since)
  return {
    ...counts,
    attention: attention.slice(0, most).map((one) => ({ ...one, since: one.since.toISOString() })),
    more: Math.max(attention.length - most, 0),
  }
}
