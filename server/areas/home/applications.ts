import { sql } from 'kysely'
import type { z } from 'zod'
import type { listHomeApplications as contract } from '../../../contract/home.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { listApplications } from '../applications/list-applications.ts'

type HomeApplication = z.input<(typeof contract)['reply']>['applications'][number]

const most = 8
const stepMinutes = 30
const steps = 48

/** Lists applications that need attention first, then the most recently deployed. */
export async function listHomeApplications(ctx: Context, actor: Actor): Promise<HomeApplication[]> {
  const workspaceId = actor.workspace.id
  const ids = await listUrgentAndRecent(ctx.db, workspaceId)
  const [{ applications }, requests] = await Promise.all([
    listApplications(ctx, actor, { ids, limit: most }),
    readRequests(ctx.db, workspaceId, ids, ctx.now()),
  ])
  const byId = new Map<string, (typeof applications)[number]>(
    applications.map((application) => [application.id, application]),
  )
  return ids.flatMap((id) => {
    const application = byId.get(id)
    return application ? [{ ...application, requests: requests(id) }] : []
  })
}

async function listUrgentAndRecent(db: Db, workspaceId: Id<'workspace'>): Promise<Id<'application'>[]> {
  const { rows } = await sql<{ id: Id<'application'> }>`
    select a.id from applications a
    left join lateral (
      select d.id, d.status from deployments d
      where d.workspace_id = a.workspace_id and d.application_id = a.id order by d.id desc limit 1) d on true
    where a.workspace_id = ${workspaceId} and a.deleting_at is null
    order by (a.wanted = 'running' and exists (
        select from instances i
        left join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
        where i.workspace_id = a.workspace_id and i.application_id = a.id and i.state = 'serving'
          and (c.id is null or c.state <> 'running' or c.health = 'unhealthy'))) desc,
      d.id desc nulls last, a.id desc
    limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

interface Step {
  id: Id<'application'>
  step: number
  requests: number
}

async function readRequests(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
  now: Date,
): Promise<(id: Id<'application'>) => (number | null)[]> {
  const span = stepMinutes * 60_000
  const since = new Date((Math.floor(now.getTime() / span) - steps + 1) * span)
  const { rows } = await sql<Step>`
    select application_id as id, avg(requests)::real as requests,
      floor(extract(epoch from at - ${since}) / ${stepMinutes * 60})::integer as step
    from application_rollups
    where workspace_id = ${workspaceId} and application_id = any(${[...ids]}) and at >= ${since}
    group by 1, 3`.execute(db)
  const measured = groupBy(rows, ({ id }) => id)
  return (id) => {
    const values = Array.from({ length: steps }, (): number | null => null)
    for (const { step, requests } of measured.get(id) ?? []) if (step < steps) values[step] = requests
    return values
  }
}
