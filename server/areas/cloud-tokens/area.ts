import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const cloudTokensArea: Area = {
  name: 'cloud-tokens',
  routes,
}
