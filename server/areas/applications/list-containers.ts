import type { z } from 'zod'
import type { listApplicationContainers as contract } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { readApplicationContainers } from '../containers/application-containers.ts'
import { nameImages } from '../containers/image-names.ts'
import { getServerRow } from '../servers/server.ts'
import { getApplicationRow } from './application.ts'
import { listRoles } from './instance.ts'

type Containers = z.input<(typeof contract)['reply']>['containers']

export async function listApplicationContainers(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
): Promise<Containers> {
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  const containers = await nameImages(
    ctx.db,
    actor.workspace.id,
    server.id,
    await readApplicationContainers(ctx, server, id),
  )
  const roles = await listRoles(ctx.db, actor.workspace.id, id)
  const parts = new Map<string, (typeof roles)[number]>(roles.map((role) => [role.id, role]))
  return containers
    .map((container) => {
      const part = parts.get(container.instance_id ?? '')
      return { ...container, role: part?.state ?? ('left' as const), release: part?.number ?? null }
    })
    .toSorted((a, b) => (b.release ?? 0) - (a.release ?? 0) || a.name.localeCompare(b.name))
}
