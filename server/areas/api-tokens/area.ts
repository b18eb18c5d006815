import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import * as contract from '../../../contract/api-tokens.ts'
import { successReply, route } from '../../route.ts'
import { createApiToken, revokeApiToken, listApiTokens } from './api-token.ts'

const routes = [
  route(contract.listApiTokens, (ctx, { caller, query }) => listApiTokens(ctx, caller, 'own', query)),
  route(contract.listWorkspaceApiTokens, (ctx, { caller, query }) =>
    listApiTokens(ctx, caller, 'all', query),
  ),
  route(contract.createApiToken, (ctx, { caller, body }) => createApiToken(ctx, caller, body)),
  route(contract.revokeApiToken, async (ctx, { caller, params }) => {
    await revokeApiToken(ctx, caller, params.id)
    return successReply
  }),
]

export const apiTokensArea: Area = {
  name: 'api-tokens',
  routes,
  jobs,
  schedules,
}
