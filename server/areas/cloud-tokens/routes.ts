import * as contract from '../../../contract/cloud-tokens.ts'
import * as providers from '../../../contract/providers.ts'
import { successReply, route } from '../../route.ts'
import { readAccountServers } from './account-servers.ts'
import { listDatacenters, listImages, listRegions, listTypes } from './catalogue.ts'
import { getCloudTokenRow, listCloudTokens, presentCloudToken } from './cloud-token.ts'
import { deleteCloudToken } from './delete-cloud-token.ts'
import { changeCloudToken, keepCloudToken } from './save-cloud-token.ts'
import { tokenFor } from './token-for.ts'

export const routes = [
  route(contract.listCloudTokens, (ctx, { caller, query }) => listCloudTokens(ctx, caller, query)),
  route(contract.createCloudToken, async (ctx, { caller, body, signal }) => ({
    cloud_token: await keepCloudToken(ctx, caller, body, signal),
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
    regions: await listRegions(ctx, await tokenFor(ctx, caller, params.p, query.cloud_token_id)),
  })),
  route(providers.listDatacenters, async (ctx, { caller, params, query }) => ({
    datacenters: await listDatacenters(ctx, await tokenFor(ctx, caller, params.p, query.cloud_token_id)),
  })),
  route(providers.listServerTypes, async (ctx, { caller, params, query }) => ({
    server_types: await listTypes(ctx, await tokenFor(ctx, caller, params.p, query.cloud_token_id)),
  })),
  route(providers.listServerImages, async (ctx, { caller, params, query }) => ({
    images: await listImages(ctx, await tokenFor(ctx, caller, params.p, query.cloud_token_id)),
  })),
  route(providers.listAccountServers, async (ctx, { caller, params, body, signal }) => ({
    servers: await readAccountServers(ctx, caller, params.p, body, signal),
  })),
]
