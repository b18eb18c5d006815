import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const homeArea: Area = {
  name: 'home',
  routes,
}
