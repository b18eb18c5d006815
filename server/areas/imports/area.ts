import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const importsArea: Area = {
  name: 'imports',
  routes,
  jobs,
  schedules,
}
