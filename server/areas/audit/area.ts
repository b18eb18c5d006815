import type { Area } from '../../area.ts'
import * as contract from '../../../contract/audit.ts'
import { ReplyWithHeaders, route } from '../../route.ts'
import { exportAudit, listAudit } from './audit.ts'

const routes = [
  route(contract.listAudit, (ctx, { caller, query }) => listAudit(ctx, caller, query)),
  route(
    contract.exportAudit,
    async (ctx, { caller, query }) =>
      new ReplyWithHeaders(exportAudit(ctx, caller, query.q), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      }),
  ),
]

export const auditArea: Area = { name: 'audit', routes }
