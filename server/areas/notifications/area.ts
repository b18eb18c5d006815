import type { Area } from '../../area.ts'
import { listeners } from './listeners.ts'
import { routes } from './routes.ts'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { sendMessages } from './send-messages.ts'
import { cleanUpMessages } from './clean-up-messages.ts'

const channel = z.object({ workspace_id: id('workspace'), notification_id: id('notification') })
const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof channel>('send-messages', channel, (ctx, given, run) =>
    sendMessages(ctx, given.workspace_id, given.notification_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-messages', nothing, (ctx, _given, { signal }) =>
    cleanUpMessages(ctx, signal),
  ),
]

const schedules = [
  {
    name: 'tidy-messages',
    everySeconds: 60,
    atStart: true,
    job: { kind: 'tidy-messages', payload: {}, lane: 'poll' as const },
  },
]

export const notificationsArea: Area = { name: 'notifications', routes, jobs, schedules, listeners }
