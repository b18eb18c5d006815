import * as contract from '../../../contract/metrics.ts'
import { route } from '../../route.ts'
import { getContainerMetrics } from './container-metrics.ts'
import { getServerMetrics } from './server-metrics.ts'

export const routes = [
  route(contract.getServerMetrics, (ctx, { caller, params, query }) =>
    getServerMetrics(ctx, caller, params.id, query.since),
  ),
  route(contract.getContainerMetrics, (ctx, { caller, params, query }) =>
    getContainerMetrics(ctx, caller, params.id, params.cid, query.since),
  ),
]
