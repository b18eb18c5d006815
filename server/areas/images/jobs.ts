import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { failOrphanedPulls, deleteOldPulls } from './clean-up-pulls.ts'
import { pullImage } from './pull-image.ts'

const payload = z.object({ workspace_id: id('workspace'), pull_id: id('pull') })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof payload>('pull-image', payload, (ctx, given, run) =>
    pullImage(ctx, given.workspace_id, given.pull_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-pulls', nothing, async (ctx) => {
    await failOrphanedPulls(ctx)
    await deleteOldPulls(ctx)
  }),
]

export const schedules = [
  { name: 'tidy-pulls', everySeconds: 60, job: { kind: 'tidy-pulls', payload: {}, lane: 'poll' as const } },
]
