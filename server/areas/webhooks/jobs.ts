import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { askAgain } from './ask-again.ts'
import { forgetDeliveries, takeUpLeft } from './forget-deliveries.ts'
import { handleDeliveries } from './handle-deliveries.ts'
import { tellStatuses } from './tell-statuses.ts'

const queue = z.object({ workspace_id: id('workspace'), queue: z.string() })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof queue>('handle-deliveries', queue, (ctx, given, run) =>
    handleDeliveries(ctx, given.workspace_id, given.queue, run),
  ),
  defineJob<Context, typeof application>('tell-commit-statuses', application, (ctx, given, run) =>
    tellStatuses(ctx, given.workspace_id, given.application_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-deliveries', nothing, async (ctx, _given, { signal }) => {
    await takeUpLeft(ctx)
    await forgetDeliveries(ctx, signal)
  }),
  defineJob<Context, typeof nothing>('ask-for-missed-deliveries', nothing, (ctx, _given, { signal }) =>
    askAgain(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'tidy-deliveries',
    everySeconds: 60,
    job: { kind: 'tidy-deliveries', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'ask-for-missed-deliveries',
    everySeconds: 300,
    atStart: true,
    // Not retried: the schedule runs again soon.
    job: { kind: 'ask-for-missed-deliveries', payload: {}, lane: 'poll' as const, attempts: 1 },
  },
]
