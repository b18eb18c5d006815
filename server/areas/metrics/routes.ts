import * as contract from '../../../contract/metrics.ts'
import { route } from '../../route.ts'
import { getApplicationMetrics } from './application-metrics.ts'
import { getContainerMetrics } from './container-metrics.ts'
import { getServerMetrics } from './server-metrics.ts'

export const routes = [
  route(contract.getServerMetrics, (ctx, { caller, params, query }) =>
    getServerMetrics(ctx, caller, params.id, query.since),
  ),
  route(contract.getContainerMetrics, (ctx, { caller, params, query }) =>
    getContainerMetrics(ctx, caller, params.id, params.cid, query.since),
  ),
  route(contract.getApplicationMetrics, (ctx, { caller, params, query }) =>
    getApplicationMetrics(ctx, caller, params.id, query.since),
  ),
]
