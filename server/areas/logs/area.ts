import type { Area } from '../../area.ts'
import * as contract from '../../../contract/logs.ts'
import { route } from '../../route.ts'
import { downloadLogs } from './download-logs.ts'
import { streamAllLogs } from './stream-all-logs.ts'
import { streamLogs } from './stream-logs.ts'

const routes = [
  route(contract.streamLogs, (ctx, { caller, params, query, signal, lastEventId }) =>
    streamLogs(ctx, caller, params, query, { signal, lastEventId }),
  ),
  route(contract.streamAllLogs, (ctx, { caller, params, query, signal, lastEventId }) =>
    streamAllLogs(ctx, caller, params.id, query, { signal, lastEventId }),
  ),
  route(contract.downloadLogs, (ctx, { caller, params, query }) => downloadLogs(ctx, caller, params, query)),
]

export const logsArea: Area = { name: 'logs', routes }
