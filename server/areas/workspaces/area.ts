import type { Area } from '../../area.ts'
import { startBilling } from './start-billing.ts'
import { routes } from './routes.ts'

export const workspacesArea: Area = {
  name: 'workspaces',
  routes,
  start: { beforeRoles: startBilling },
}
