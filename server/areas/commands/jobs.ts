import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { findServer } from '../servers/server.ts'
import { deleteOldCommands, listLeftovers } from './leases.ts'
import { type SpoolRef, removeSpools } from './spools.ts'

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('forget-old-commands', nothing, async (ctx) => {
    await deleteOldCommands(ctx.db)
    await removeLeftovers(ctx)
  }),
]

export const schedules = [
  {
    name: 'forget-old-commands',
    everySeconds: 3_600,
    job: { kind: 'forget-old-commands', payload: {}, lane: 'poll' as const },
  },
]

/** A process that died may leave files of its commands on servers. */
async function removeLeftovers(ctx: Context): Promise<void> {
  const left: SpoolRef[] = []
  for (const { id, workspace_id: workspace, server_id: of } of await listLeftovers(ctx.db)) {
    const server = await findServer(ctx, workspace, of)
    if (server) left.push({ server, id })
  }
  await removeSpools(ctx, left)
}
