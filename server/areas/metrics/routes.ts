import * as contract from '../../../contract/metrics.ts'
import { route } from '../../route.ts'
import { getServerMetrics } from './server-metrics.ts'

export const routes = [
  route(contract.getServerMetrics, (ctx, { caller, params, query }) =>
    getServerMetrics(ctx, caller, params.id, query.since),
  ),
]
