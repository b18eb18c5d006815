import type { Area } from '../../area.ts'
import { removeSpools, type SpoolRef, startCommandFollower } from './command-follower.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { findServer } from '../servers/server.ts'
import { deleteOldCommands, listLeftovers } from './command-leases.ts'
import * as contract from '../../../contract/commands.ts'
import { route } from '../../route.ts'
import { cancelCommand } from './cancel-command.ts'
import { getCommand, listCommands, streamCommand } from './command.ts'
import { runCommand, runContainerCommand } from './run-command.ts'

const routes = [
  route(contract.listCommands, (ctx, { caller, params, query }) =>
    listCommands(ctx, caller, params.id, query),
  ),
  route(contract.runCommand, (ctx, { caller, params, body }) => runCommand(ctx, caller, params.id, body)),
  route(contract.getCommand, async (ctx, { caller, params }) => ({
    command: await getCommand(ctx, caller, params),
  })),
  route(contract.streamCommand, (ctx, { caller, params, signal, lastEventId }) =>
    streamCommand(ctx, caller, params, { signal, lastEventId }),
  ),
  route(contract.cancelCommand, async (ctx, { caller, params }) => ({
    command: await cancelCommand(ctx, caller, params),
  })),
  route(contract.runContainerCommand, (ctx, { caller, params, body }) =>
    runContainerCommand(ctx, caller, params, body),
  ),
]

const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof nothing>('forget-old-commands', nothing, async (ctx) => {
    await deleteOldCommands(ctx.db)
    await removeLeftovers(ctx)
  }),
]

const schedules = [
  {
    name: 'forget-old-commands',
    everySeconds: 3_600,
    job: { kind: 'forget-old-commands', payload: {}, lane: 'poll' as const },
  },
]

/** Removes the files of commands that a process left on servers when it died. */
async function removeLeftovers(ctx: Context): Promise<void> {
  const left: SpoolRef[] = []
  for (const { id, workspace_id: workspace, server_id: serverId } of await listLeftovers(ctx.db)) {
    const server = await findServer(ctx, workspace, serverId)
    if (server) left.push({ server, id })
  }
  await removeSpools(ctx, left)
}

export const commandsArea: Area = {
  name: 'commands',
  routes,
  jobs,
  schedules,
  // The follower stops before the web server, so that requests that wait for a command are still answered.
  start: { afterRoles: startCommandFollower },
}
