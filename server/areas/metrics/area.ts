import type { Area } from '../../area.ts'
import { watchers } from './collect.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const metricsArea: Area = {
  name: 'metrics',
  routes,
  jobs,
  schedules,
  watchers,
}
