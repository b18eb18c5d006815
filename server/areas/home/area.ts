import type { Area } from '../../area.ts'
import * as contract from '../../../contract/home.ts'
import { type Actor, route } from '../../route.ts'
import type { Context } from '../../context.ts'
import { createActorRedactor } from '../applications/redactor.ts'
import { findAttention } from './attention.ts'
import { listHomeApplications } from './applications.ts'
import { listResourceNames, readChecklist, readCounts } from './store.ts'

const routes = [
  route(contract.getHome, async (ctx, { caller }) => ({ home: await getHome(ctx, caller) })),
  route(contract.listHomeApplications, async (ctx, { caller }) => ({
    applications: await listHomeApplications(ctx, caller),
  })),
  route(contract.listResources, (ctx, { caller }) => listResourceNames(ctx.db, caller.workspace.id)),
]

const countedDays = 30
const most = 20

async function getHome(ctx: Context, actor: Actor) {
  const { workspace } = actor
  const since = new Date(ctx.now().getTime() - countedDays * 86_400_000)
  const [counts, checklist, attention] = await Promise.all([
    readCounts(ctx.db, workspace.id, since),
    readChecklist(ctx.db, workspace.id),
    findAttention(ctx, workspace.id, since),
  ])
  const shown = attention.slice(0, most)
  const redact = await createActorRedactor(
    ctx,
    actor,
    shown.map(({ application_id }) => application_id),
  )
  return {
    ...counts,
    attention: shown.map(({ application_id: id, ...item }) => ({
      ...item,
      summary: redact(id, item.summary),
      reason: item.reason && redact(id, item.reason),
      alert: item.alert ?? null,
      since: item.since.toISOString(),
    })),
    more: Math.max(attention.length - most, 0),
    checklist,
  }
}

export const homeArea: Area = {
  name: 'home',
  routes,
}
