import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const integrationsArea: Area = {
  name: 'integrations',
  routes,
}
