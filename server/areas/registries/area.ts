import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const registriesArea: Area = {
  name: 'registries',
  routes,
}
