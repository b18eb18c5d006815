import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { tellOfExpiring } from './tell-expiring.ts'

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('tell-of-expiring-tokens', nothing, (ctx, _given, { signal }) =>
    tellOfExpiring(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'tell-of-expiring-tokens',
    everySeconds: 3_600,
    atStart: true,
    job: { kind: 'tell-of-expiring-tokens', payload: {}, lane: 'poll' as const },
  },
]
