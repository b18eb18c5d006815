import * as contract from '../../../contract/notifications.ts'
import { route } from '../../route.ts'
import { listNotifications } from './notification.ts'

export const routes = [
  route(contract.listNotifications, (ctx, { caller, query }) => listNotifications(ctx, caller, query)),
]
