import { z } from 'zod'
import { id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { failOrphanedSetups } from './orphans.ts'
import { setUpServer } from './set-up.ts'

const payload = z.object({ workspace_id: id('workspace'), setup_id: id('setup') })

export const jobs = [
  defineJob<Context, typeof payload>('set-up-server', payload, (ctx, given, run) =>
    setUpServer(ctx, given.workspace_id, given.setup_id, run),
  ),
  defineJob<Context, z.ZodObject>('fail-lost-set-ups', z.object({}), (ctx) => failOrphanedSetups(ctx)),
]

export const schedules = [
  { name: 'fail-lost-set-ups', everySeconds: 60, job: { kind: 'fail-lost-set-ups', payload: {} } },
]
