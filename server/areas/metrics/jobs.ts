import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { forgetOld, rollUp } from './roll-up.ts'

export const jobs = [
  defineJob<Context, z.ZodObject>('roll-up-metrics', z.object({}), async (ctx, _payload, { signal }) => {
    await rollUp(ctx.db)
    await forgetOld(ctx.db, signal)
  }),
]

export const schedules = [
  {
    name: 'roll-up-metrics',
    everySeconds: 300,
    job: { kind: 'roll-up-metrics', payload: {}, lane: 'poll' as const },
  },
]
