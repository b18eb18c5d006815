import type { Area } from '../../area.ts'
import { routes } from './routes.ts'
import { watchers } from './watch.ts'

export const containersArea: Area = {
  name: 'containers',
  routes,
  watchers,
}
