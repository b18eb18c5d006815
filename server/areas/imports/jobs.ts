import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'

export const jobs = [
  defineJob<Context, z.ZodObject>('forget-import-tokens', z.object({}), async (ctx) => {
    await ctx.pool.query('delete from import_tokens where expires_at < now()')
  }),
]

export const schedules = [
  { name: 'forget-import-tokens', everySeconds: 3_600, job: { kind: 'forget-import-tokens', payload: {} } },
]
