import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { toContainer } from './container.ts'
import { assertCanControl, getContainerRights } from './container-access.ts'
import { toContainerDetails, readEnvironmentVariables, maskDetails } from './container-details.ts'
import { inspectContainer, containerTarget } from './inspect.ts'
import { findContainerRow, findLiveServer } from './store.ts'

export async function getContainer(ctx: Context, actor: Actor, id: Id<'server'>, cid: string) {
  const server = await getServerRow(ctx, actor, id)
  const inspected = await inspectContainer(ctx, server, cid)
  const container = toContainer(inspected)
  const figures = await findFigures(ctx, actor, id, inspected.Id)
  const { application, ...rights } = await getContainerRights(ctx, actor, server, inspected)
  const details = toContainerDetails(inspected, {
    ...container,
    ...(container.state === 'running' && figures),
  })
  return {
    ...(rights.masked ? maskDetails(details) : details),
    ...rights,
    application: application ? { id: application.id, name: application.name } : null,
  }
}

/** Metrics exist only while the server is watched. */
async function findFigures(ctx: Context, { workspace }: Actor, id: Id<'server'>, containerId: string) {
  if (!(await findLiveServer(ctx.db, workspace.id, id))) return undefined
  const row = await findContainerRow(ctx.db, workspace.id, id, containerId)
  return row && { cpu: row.cpu, memory_used: row.memory_used, memory_limit: row.memory_limit }
}

/** Values may be secrets, so the audit event is written before they are returned. */
export async function readEnvironment(ctx: Context, actor: Actor, id: Id<'server'>, cid: string) {
  const server = await getServerRow(ctx, actor, id)
  const inspected = await inspectContainer(ctx, server, cid)
  await assertCanControl(ctx, actor, server, inspected)
  await transaction(ctx.db, (trx) =>
    emit(
      trx,
      actor,
      actor.workspace.id,
      'container.environment_read',
      containerTarget(inspected),
      `on ${server.name}`,
    ),
  )
  return readEnvironmentVariables(inspected)
}
