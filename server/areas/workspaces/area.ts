import type { Area } from '../../area.ts'
import { beginBilling } from './begin-billing.ts'
import { routes } from './routes.ts'

export const workspacesArea: Area = {
  name: 'workspaces',
  routes,
  start: { beforeRoles: beginBilling },
}
