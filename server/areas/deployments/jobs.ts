import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { deploy } from './deploy.ts'
import { forgetLogs } from './forget-logs.ts'
import { findLeft, takeUpLost } from './cleanup/tidy.ts'
import { tidyApplication } from './cleanup/tidy-application.ts'

const deployment = z.object({ workspace_id: id('workspace'), deployment_id: id('deployment') })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof deployment>('deploy', deployment, (ctx, given, run) =>
    deploy(ctx, given.workspace_id, given.deployment_id, run),
  ),
  defineJob<Context, typeof application>('tidy-application', application, (ctx, given, run) =>
    tidyApplication(ctx, given.workspace_id, given.application_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-deployments', nothing, async (ctx) => {
    await takeUpLost(ctx)
    await findLeft(ctx)
  }),
  defineJob<Context, typeof nothing>('forget-deployment-logs', nothing, (ctx, _given, { signal }) =>
    forgetLogs(ctx.db, signal),
  ),
]

export const schedules = [
  {
    name: 'tidy-deployments',
    everySeconds: 15,
    job: { kind: 'tidy-deployments', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'forget-deployment-logs',
    everySeconds: 3_600,
    job: { kind: 'forget-deployment-logs', payload: {}, lane: 'poll' as const },
  },
]
