import * as contract from '../../../contract/instance.ts'
import { route } from '../../route.ts'
import { listInstanceAudit } from './audit.ts'
import { getOverview } from './overview.ts'
import { showSettings, updateSettings } from './settings.ts'

export const routes = [
  route(contract.getInstance, (ctx) => getOverview(ctx)),
  route(contract.getInstanceSettings, async (ctx) => ({ settings: await showSettings(ctx) })),
  route(contract.updateInstanceSettings, async (ctx, { caller, body }) => {
    await updateSettings(ctx, caller, body)
    return { settings: await showSettings(ctx) }
  }),
  route(contract.listInstanceAudit, (ctx, { query }) => listInstanceAudit(ctx, query)),
]
