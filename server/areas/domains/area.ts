import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const domainsArea: Area = {
  name: 'domains',
  routes,
  jobs,
  schedules,
}
