import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const apiTokensArea: Area = {
  name: 'api-tokens',
  routes,
  jobs,
  schedules,
}
