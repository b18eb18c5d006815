import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import type { ClaimedHost } from './challenges.ts'
import { saveEvidence, proveHost } from './prove-host.ts'
import { listApplicationsWithHost, listDomainServers } from './store.ts'

/** Runs after a name is added and then regularly, since domains change owners. */
export async function checkHostName(ctx: Context, { workspace_id, host }: ClaimedHost): Promise<void> {
  const held = (await listHostNames(ctx.db, workspace_id, [host])).get(host)
  if (!held) return
  const servers = await listDomainServers(ctx.db, workspace_id, host, { https: false })
  const evidence = await proveHost(ctx, { workspace_id, host }, servers)
  await transaction(ctx.db, async (trx) => {
    await saveEvidence(trx, { workspace_id, host }, evidence)
    for (const { id } of await listApplicationsWithHost(trx, workspace_id, host))
      await nudge(trx, workspace_id, 'application.changed', id)
  })
}
