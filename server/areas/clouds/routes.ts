import type { z } from 'zod'
import * as tokens from '../../../contract/cloud-tokens.ts'
import * as providers from '../../../contract/providers.ts'
import * as contract from '../../../contract/servers.ts'
import { successReply, route, type Actor } from '../../route.ts'
import { createServer } from '../servers/create-server.ts'
import { retryCreation } from './retry-creation.ts'
import { removeFromSlipway } from './forget-server.ts'
import { orderServer } from './order-server.ts'
import { importServers } from './import-servers.ts'
import { requestDestroy } from './request-destroy.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { checkCloudToken } from '../cloud-tokens/token-status.ts'
import { requestAccountCheck } from './check-account.ts'

async function checkTokenAndServers(ctx: Context, actor: Actor, id: Id<'cloudToken'>, signal: AbortSignal) {
  const token = await checkCloudToken(ctx, actor, id, signal)
  if (token.error === null)
    await transaction(ctx.db, (trx) => requestAccountCheck(ctx, trx, actor.workspace.id, id))
  return token
}

type Reached = Pick<z.output<(typeof contract.createServer)['body']>, 'address' | 'port' | 'user'>

const reachedAt = ({ address = '', port = 22, user = 'root' }: Reached) => ({ address, port, user })

export const routes = [
  route(contract.createServer, async (ctx, { caller, body: { cloud, name, labels, ...reached } }) => ({
    // The contract requires either an address or a cloud.
    server:
      cloud === undefined
        ? await createServer(ctx, caller, { name, labels, ...reachedAt(reached) })
        : await orderServer(ctx, caller, { name, labels, cloud }),
  })),
  route(contract.deleteServer, async (ctx, { caller, params, query }) => {
    await (query.cloud === 'destroy' ? requestDestroy : removeFromSlipway)(ctx, caller, params.id)
    return successReply
  }),
  route(contract.provisionServer, async (ctx, { caller, params, body }) => ({
    server: await retryCreation(ctx, caller, params.id, body),
  })),
  route(tokens.checkCloudToken, async (ctx, { caller, params, signal }) => ({
    cloud_token: await checkTokenAndServers(ctx, caller, params.id, signal),
  })),
  route(providers.importAccountServers, async (ctx, { caller, params, body, signal }) => ({
    servers: await importServers(ctx, caller, params.p, body, signal),
  })),
]
