import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Invalid, notFound } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../route.ts'
import { getServerRow } from '../../servers/server.ts'
import { emitApplicationChange, getApplicationRow, withLockedApplication } from '../application.ts'
import { claimRoutes, onAllAddresses, toFieldProblems } from '../hosts/claim-routes.ts'
import { assertNotCompose } from '../compose.ts'
import { listPortRows, type PortRow, upsertPorts } from '../config.ts'
import { requestProxySync } from '../../servers/proxy-sync.ts'
import { findBusyPorts } from './port-conflicts.ts'

export interface PortMapping {
  source: number
  target: number
}

export async function listPorts(ctx: Context, actor: Actor, id: Id<'application'>) {
  const { workspace_id: workspaceId } = await getApplicationRow(ctx, actor, id)
  return presentPorts(await listPortRows(ctx.db, workspaceId, id))
}

const presentPorts = (rows: PortRow[]) =>
  rows.map(({ id, service, host, source, target }) => ({ id, service, host, source, target }))

export async function publishApplicationPorts(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  ports: readonly PortMapping[],
) {
  const application = await getApplicationRow(ctx, actor, id)
  assertNotCompose(application, 'The ports')
  const server = await getServerRow(ctx, actor, application.server_id)
  const known = await listPortRows(ctx.db, actor.workspace.id, id)
  const isNew = ({ source }: PortMapping) => !known.some((row) => row.source === source)
  assertNoProblems(await findBusyPorts(ctx, server, ports, isNew))
  return withLockedApplication(ctx, actor, id, async (trx) => {
    const addresses = ports.map(onAllAddresses)
    const taken = await claimRoutes(trx, server, { application: id, domains: [], ports: addresses })
    assertNoProblems(toFieldProblems(taken))
    await upsertPorts(trx, actor.workspace.id, portRows(application, ports))
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(
      trx,
      actor,
      application,
      'application.ports_changed',
      ports.map(({ source }) => String(source)),
    )
    return presentPorts(await listPortRows(trx, actor.workspace.id, id))
  })
}

export const unpublishPort = (
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  port: Id<'publishedPort'>,
): Promise<void> =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    assertNotCompose(application, 'The ports')
    const deleted = await trx
      .deleteFrom('published_ports')
      .where('workspace_id', '=', actor.workspace.id)
      .where('application_id', '=', id)
      .where('id', '=', port)
      .returningAll()
      .executeTakeFirst()
    if (!deleted) throw notFound('This port')
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.ports_changed', [
      String(deleted.source),
    ])
  })

export const portRows = (
  { id, workspace_id }: Pick<PortRow, 'workspace_id'> & { id: Id<'application'> },
  ports: readonly PortMapping[],
) =>
  ports.map(({ source, target }) => ({
    id: newId('publishedPort'),
    workspace_id,
    application_id: id,
    source,
    target,
  }))

export type FieldProblems = Record<string, string[]>

export function assertNoProblems(problems: FieldProblems): void {
  if (Object.keys(problems).length > 0) throw new Invalid(problems)
}
