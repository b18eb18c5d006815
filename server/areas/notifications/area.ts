import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { listeners } from './listeners.ts'
import { routes } from './routes.ts'

export const notificationsArea: Area = {
  name: 'notifications',
  routes,
  jobs,
  schedules,
  listeners,
}
