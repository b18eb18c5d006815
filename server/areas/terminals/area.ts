import type { Area } from '../../area.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { findServer } from '../servers/server.ts'
import { endContainerShell } from './container-shells.ts'
import { listOrphanedShells } from './shell-leases.ts'
import * as contract from '../../../contract/terminals.ts'
import { route } from '../../route.ts'
import { openTerminal } from './open-terminal.ts'

const routes = [
  route(contract.openTerminal, (ctx, { caller, params, query: { cols, rows, session } }) =>
    openTerminal(ctx, caller, params, { cols, rows, session }),
  ),
  route(contract.openContainerTerminal, (ctx, { caller, params, query: { cols, rows, session } }) =>
    openTerminal(ctx, caller, params, { cols, rows, session }),
  ),
]

const nothing = z.object({})

const jobs = [defineJob<Context, typeof nothing>('end-left-shells', nothing, (ctx) => endLeftShells(ctx))]

const schedules = [
  {
    name: 'end-left-shells',
    everySeconds: 60,
    job: { kind: 'end-left-shells', payload: {}, lane: 'poll' as const },
  },
]

/** Ends shells whose process was killed or lost the server: no client can return to them. */
async function endLeftShells(ctx: Context): Promise<void> {
  const away = new Set<string>()
  for (const row of await listOrphanedShells(ctx.db)) {
    if (away.has(row.server_id)) continue
    const server = await findServer(ctx, row.workspace_id, row.server_id)
    try {
      if (server) await endContainerShell(ctx, server, row)
    } catch (error) {
      away.add(row.server_id)
      ctx.log.debug(
        { server: row.server_id, reason: String(error) },
        'Failed to end an orphaned shell in a container; retrying',
      )
    }
  }
}

export const terminalsArea: Area = {
  name: 'terminals',
  routes,
  jobs,
  schedules,
}
