import type { Area } from '../../area.ts'
import * as contract from '../../../contract/cloud-tokens.ts'
import * as providers from '../../../contract/providers.ts'
import { type Actor, route, successReply } from '../../route.ts'
import { readAccountServers } from './account-servers.ts'
import { listCloudImages, listCloudRegions, listCloudTypes, listDatacenters } from './catalog.ts'
import {
  cloudTokenTarget,
  getCloudTokenRow,
  listCloudTokens,
  presentCloudToken,
  resolveCloudToken,
} from './cloud-token.ts'
import { addCloudToken, changeCloudToken } from './save-cloud-token.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  deleteCloudTokenRow,
  hasOrphanJobs,
  lockCloudTokenRow,
  lockTokenServers,
  type TokenServer,
} from './store.ts'

const deleteCloudToken = (ctx: Context, { workspace, ...actor }: Actor, id: Id<'cloudToken'>) =>
  transaction(ctx.db, async (trx) => {
    const row = await lockCloudTokenRow(trx, workspace.id, id)
    if (!row) throw notFound('This cloud token')
    const busy = (await lockTokenServers(trx, workspace.id, id)).find(isBusy)
    if (busy) throw inUse(row.name, busy)
    // A rejected token cannot destroy its orphans, so they do not prevent its deletion.
    if (row.error === null && (await hasOrphanJobs(trx, workspace.id, id))) throw stillDestroys(row.name)
    await deleteCloudTokenRow(trx, workspace.id, id)
    await emit(trx, actor, workspace.id, 'cloud_token.deleted', cloudTokenTarget(row))
  })

const isBusy = ({ status, asked_at }: TokenServer) =>
  status === 'provisioning' || status === 'deleting' || asked_at !== null

function inUse(token: string, { name, status }: TokenServer) {
  const reason =
    status === 'deleting'
      ? `The server ${name} is being destroyed with ${token}. Wait until it is destroyed, or forget the server`
      : status === 'provisioning'
        ? `The server ${name} is being created with ${token}. Wait until it is created, or delete the server`
        : `Slipway does not know yet whether the server ${name} was created with ${token}. Wait until the check is done, or delete the server`
  return conflict('cloud_token_in_use', `${reason}, then delete the token.`)
}

const stillDestroys = (name: string) =>
  conflict(
    'cloud_token_in_use',
    `Slipway still needs ${name} to destroy an orphaned server. Wait until the server is destroyed, then delete the token.`,
  )

const routes = [
  route(contract.listCloudTokens, (ctx, { caller, query }) => listCloudTokens(ctx, caller, query)),
  route(contract.createCloudToken, async (ctx, { caller, body, signal }) => ({
    cloud_token: await addCloudToken(ctx, caller, body, signal),
  })),
  route(contract.getCloudToken, async (ctx, { caller, params }) => ({
    cloud_token: await presentCloudToken(ctx, await getCloudTokenRow(ctx, caller, params.id)),
  })),
  route(contract.updateCloudToken, async (ctx, { caller, params, body, signal }) => ({
    cloud_token: await changeCloudToken(ctx, caller, params.id, body, signal),
  })),
  route(contract.deleteCloudToken, async (ctx, { caller, params }) => {
    await deleteCloudToken(ctx, caller, params.id)
    return successReply
  }),
  route(providers.listRegions, async (ctx, { caller, params, query }) => ({
    regions: await listCloudRegions(
      ctx,
      await resolveCloudToken(ctx, caller, params.p, query.cloud_token_id),
    ),
  })),
  route(providers.listDatacenters, async (ctx, { caller, params, query }) => ({
    datacenters: await listDatacenters(
      ctx,
      await resolveCloudToken(ctx, caller, params.p, query.cloud_token_id),
    ),
  })),
  route(providers.listServerTypes, async (ctx, { caller, params, query }) => ({
    server_types: await listCloudTypes(
      ctx,
      await resolveCloudToken(ctx, caller, params.p, query.cloud_token_id),
    ),
  })),
  route(providers.listServerImages, async (ctx, { caller, params, query }) => ({
    images: await listCloudImages(ctx, await resolveCloudToken(ctx, caller, params.p, query.cloud_token_id)),
  })),
  route(providers.listAccountServers, async (ctx, { caller, params, body, signal }) => ({
    servers: await readAccountServers(ctx, caller, params.p, body, signal),
  })),
]

export const cloudTokensArea: Area = {
  name: 'cloud-tokens',
  routes,
}
