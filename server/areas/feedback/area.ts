import type { Area } from '../../area.ts'
import { routes } from './routes.ts'

export const feedbackArea: Area = {
  name: 'feedback',
  routes,
}
