import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const providersArea: Area = {
  name: 'providers',
  routes,
}
