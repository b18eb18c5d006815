import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { findServer } from '../servers/server.ts'
import { endContainerShell } from './container-shells.ts'
import { listOrphanedShells } from './shell-leases.ts'

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('end-left-shells', nothing, (ctx) => endLeftShells(ctx)),
]

export const schedules = [
  {
    name: 'end-left-shells',
    everySeconds: 60,
    job: { kind: 'end-left-shells', payload: {}, lane: 'poll' as const },
  },
]

/** Ends shells whose process was killed or lost the server, because no client can return to them. */
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
        { server: row.server_id, why: String(error) },
        'Could not end an orphaned shell in a container. Retrying later.',
      )
    }
  }
}
