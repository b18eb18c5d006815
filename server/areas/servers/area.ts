import type { Area } from '../../area.ts'
import { routes } from './routes.ts'
import { jobs, schedules } from './set-up/jobs.ts'
import { closeDeletedConnections } from './watch/close-deleted-connections.ts'
import { startWatching } from './watch/watching.ts'

export const serversArea: Area = {
  name: 'servers',
  routes,
  jobs,
  schedules,
  start: {
    beforeRoles: closeDeletedConnections,
    withWorker: (ctx, { watchers, db }) => startWatching(ctx, watchers, db).stop,
  },
}
