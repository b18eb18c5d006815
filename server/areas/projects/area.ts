import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const projectsArea: Area = {
  name: 'projects',
  routes,
}
