import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const templatesArea: Area = {
  name: 'templates',
  routes,
}
