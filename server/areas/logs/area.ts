import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const logsArea: Area = {
  name: 'logs',
  routes,
}
