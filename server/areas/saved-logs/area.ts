import { z } from 'zod'
import * as contract from '../../../contract/saved-logs.ts'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { route } from '../../route.ts'
import { watchers } from './copy-logs.ts'
import { downloadSavedLog, listSavedLogs, searchSavedLogs, streamSavedLog } from './read-saved-logs.ts'
import { deleteExpiredLogs } from './saved-log.ts'

const routes = [
  route(contract.listSavedLogs, (ctx, { caller, params, query }) =>
    listSavedLogs(ctx, caller, params.id, query),
  ),
  route(contract.searchSavedLogs, (ctx, { caller, params, query }) =>
    searchSavedLogs(ctx, caller, params.id, query.q),
  ),
  route(contract.streamSavedLog, (ctx, { caller, params, query, signal, lastEventId }) =>
    streamSavedLog(ctx, caller, params, query, { signal, lastEventId }),
  ),
  route(contract.downloadSavedLog, (ctx, { caller, params, query }) =>
    downloadSavedLog(ctx, caller, params, query),
  ),
]

const jobs = [
  defineJob<Context, z.ZodObject>('delete-expired-logs', z.object({}), (ctx, _payload, { signal }) =>
    deleteExpiredLogs(ctx.db, signal),
  ),
]

const schedules = [
  {
    name: 'delete-expired-logs',
    everySeconds: 3_600,
    job: { kind: 'delete-expired-logs', payload: {}, lane: 'poll' as const },
  },
]

export const savedLogsArea: Area = { name: 'saved-logs', routes, jobs, schedules, watchers }
