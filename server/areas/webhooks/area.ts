import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { listeners } from './listeners.ts'
import { routes } from './routes.ts'

export const webhooksArea: Area = {
  name: 'webhooks',
  routes,
  jobs,
  schedules,
  listeners,
}
