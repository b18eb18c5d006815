import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { removeDetached } from '../../remote/detached.ts'
import { hostOf } from '../servers/reach.ts'
import { findServer } from '../servers/server.ts'
import { forgetOld, listLeftovers, noteRemoved } from './leases.ts'
import type { CommandRow } from './store.ts'

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('forget-old-commands', nothing, async (ctx) => {
    await forgetOld(ctx.db)
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

/** What a process that died could not remove from the servers any more. One that cannot be reached waits an hour. */
async function removeLeftovers(ctx: Context): Promise<void> {
  const away = new Set<string>()
  for (const row of await listLeftovers(ctx.db)) {
    if (away.has(row.server_id)) continue
    try {
      await removeLeftover(ctx, row)
    } catch (error) {
      away.add(row.server_id)
      ctx.log.debug(
        { command: row.id, why: String(error) },
        'What a command left on its server is still there.',
      )
    }
  }
}

async function removeLeftover(ctx: Context, { id, workspace_id: workspace, server_id: of }: CommandRow) {
  const server = await findServer(ctx, workspace, of)
  if (server) await removeDetached(hostOf(ctx, server), id)
  await noteRemoved(ctx.db, [id])
}
