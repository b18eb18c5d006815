import type { Area } from '../../area.ts'
import { startBilling } from './trial.ts'
import { routes } from './routes.ts'

export const workspacesArea: Area = {
  name: 'workspaces',
  routes,
  start: { beforeRoles: startBilling },
}
