import { sql } from 'kysely'
import type { z } from 'zod'
import type { release } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import type { Release } from './release.ts'

interface Row extends Release {
  actor_name: string | null
  deploying: boolean
}

export async function listReleases(ctx: Context, actor: Actor, id: Id<'application'>, query: PageQuery) {
  const application = await getApplicationRow(ctx, actor, id)
  const { id: workspaceId } = actor.workspace
  const from = sql`select r.*, lpad(number::text, 10, '0') as place,
      (select d.actor_name from deployments d where d.workspace_id = r.workspace_id and d.id = r.deployment_id),
      exists (select from deployments d where d.workspace_id = r.workspace_id and d.release_id = r.id
        and d.status = 'running') as deploying
    from releases r where workspace_id = ${workspaceId} and application_id = ${id}`
  const { rows, page } = await readPage<Row>(ctx.db, { from, order: ['place'], direction: 'desc' }, query)
  return { releases: rows.map((row) => present(row, application.release_id)), page }
}

const present = (row: Row, current: Id<'release'> | null): z.input<typeof release> => ({
  id: row.id,
  number: row.number,
  image: row.image,
  digest: row.digest,
  image_id: row.image_id,
  services: row.config.services?.map(({ name, image, digest }) => ({ name, image, digest })) ?? null,
  commit: row.commit,
  current: row.id === current,
  deploying: row.deploying,
  image_available: row.kept,
  deployment_id: row.deployment_id,
  actor: row.actor_name === null ? null : { name: row.actor_name },
  created_at: row.created_at.toISOString(),
  live_at: row.live_at?.toISOString() ?? null,
})
