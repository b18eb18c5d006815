import * as contract from '../../../contract/servers.ts'
import { route } from '../../route.ts'
import { connectServer } from './connect.ts'
import { getServerKey } from './key.ts'
import { getServer, listServers } from './server.ts'
import { setupRoutes } from './set-up/routes.ts'
import { trustHostKey } from './trust.ts'
import { updateServer } from './update.ts'

export const routes = [
  route(contract.listServers, (ctx, { caller, query }) => listServers(ctx, caller, query)),
  route(contract.getServer, async (ctx, { caller, params }) => ({
    server: await getServer(ctx, caller, params.id),
  })),
  route(contract.updateServer, async (ctx, { caller, params, body }) => ({
    server: await updateServer(ctx, caller, params.id, body),
  })),
  route(contract.getServerKey, async (ctx, { caller, params }) => ({
    key: await getServerKey(ctx, caller, params.id),
  })),
  route(contract.connectServer, async (ctx, { caller, params }) => ({
    server: await connectServer(ctx, caller, params.id),
  })),
  route(contract.trustHostKey, async (ctx, { caller, params, body }) => ({
    server: await trustHostKey(ctx, caller, params.id, body.fingerprint),
  })),
  ...setupRoutes,
]
