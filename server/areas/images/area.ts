import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const imagesArea: Area = {
  name: 'images',
  routes,
  jobs,
  schedules,
}
