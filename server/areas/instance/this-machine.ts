import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { thisMachine } from '../../../contract/instance.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound, Problem } from '../../errors.ts'
import { recordInstanceEvent } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import { forgetServer, cleanUpDeletedServer, lockDeletableServer } from '../servers/delete-server.ts'
import { addThisMachine, findThisMachineProblem } from '../servers/this-machine.ts'
import { findLocalServer, listOwnedWorkspaces, lockInstanceOwners } from './store.ts'

export async function getThisMachine(ctx: Context, person: User): Promise<z.input<typeof thisMachine>> {
  const [server, workspaces] = await Promise.all([
    findLocalServer(ctx.db),
    listOwnedWorkspaces(ctx.db, person.user.id),
  ])
  const problem = server ? null : ((await findThisMachineProblem(ctx)) ?? null)
  return {
    offered: !server && problem === null,
    problem,
    server: server
      ? {
          id: server.id,
          name: server.name,
          status: server.status,
          workspace: { id: server.workspace_id, name: server.workspace_name },
        }
      : null,
    workspaces,
  }
}

export async function enableThisMachine(ctx: Context, person: User, id: Id<'workspace'>): Promise<void> {
  const problem = await findThisMachineProblem(ctx)
  if (problem !== undefined) throw conflict('not_offered', problem)
  await transaction(ctx.db, async (trx) => {
    // The lock serializes concurrent requests, so that only one of them adds This machine.
    await lockInstanceOwners(trx)
    const workspace = (await listOwnedWorkspaces(trx, person.user.id)).find((owned) => owned.id === id)
    if (!workspace) throw new Problem(404, 'not_found', 'You do not own a workspace with this ID.')
    const existing = await findLocalServer(trx)
    if (existing)
      throw conflict(
        'this_machine_exists',
        `This machine is already a server of the workspace ${existing.workspace_name}.`,
      )
    await addThisMachine(ctx, trx, person, id)
    await recordInstanceEvent(trx, person, 'local_server.enabled', {
      kind: 'workspace',
      id,
      name: workspace.name,
    })
  })
}

export async function disableThisMachine(ctx: Context, person: User): Promise<void> {
  const localServer = await findLocalServer(ctx.db)
  if (!localServer) throw notFound('This machine')
  const server = await transaction(ctx.db, async (trx) => {
    const locked = await lockDeletableServer(trx, localServer.workspace_id, localServer.id)
    await forgetServer(trx, person, locked)
    return locked
  })
  await cleanUpDeletedServer(ctx, server)
}
