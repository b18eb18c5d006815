import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const applicationsArea: Area = {
  name: 'applications',
  routes,
}
