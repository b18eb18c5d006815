import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const auditArea: Area = {
  name: 'audit',
  routes,
}
