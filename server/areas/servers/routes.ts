import * as contract from '../../../contract/servers.ts'
import { route } from '../../route.ts'
import { listServers } from './server.ts'

export const routes = [
  route(contract.listServers, (ctx, { caller, query }) => listServers(ctx, caller, query)),
]
