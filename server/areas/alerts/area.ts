import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { listeners } from './listeners.ts'
import { routes } from './routes.ts'

export const alertsArea: Area = {
  name: 'alerts',
  routes,
  jobs,
  schedules,
  listeners,
}
