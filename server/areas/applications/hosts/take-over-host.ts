import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Db } from '../../../tables.ts'
import { claimHosts, findHolder, hasTxtRecord, type HostProof, isReleased } from './host-names.ts'
import { releaseHost } from './release-host.ts'
import { isBelowWildcard, isReservedHost } from './reserved-host.ts'

/** The workspace that holds the name; undefined for a released one. */
type Prove = (host: string, holder: Id<'workspace'> | undefined) => Promise<HostProof | undefined>

/**
 * Claims those of the names for the workspace that it can have only with a proof, where it has one now: what the operator released, and
 * what another workspace holds undefended. A claim that nobody proves must not keep the owner of a name out.
 */
export async function takeOverHosts(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  hosts: readonly string[],
  prove: Prove = async (host) => ((await hasTxtRecord(ctx, workspaceId, host)) ? 'dns_txt' : undefined),
): Promise<void> {
  for (const host of new Set(hosts)) {
    if (isReservedHost(ctx.config, host) || isBelowWildcard(ctx.config, host)) continue
    const before = await findClaim(ctx.db, workspaceId, host)
    if (!before) continue
    const proof = await prove(host, before.holder)
    if (!proof) continue
    await transaction(ctx.db, async (trx) => {
      // It may have been proven, or have gone to another workspace, meanwhile.
      const now = await findClaim(trx, workspaceId, host)
      if (!now || now.holder !== before.holder) return
      if (now.holder) await releaseHost(ctx, trx, host, { takeOver: true })
      await claimHosts(ctx, trx, workspaceId, [host], { proof })
    })
  }
}

/** What stands between the workspace and the name that a proof removes. */
async function findClaim(
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<{ holder: Id<'workspace'> | undefined } | undefined> {
  const holder = await findHolder(db, workspaceId, host)
  if (holder) return holder.host === host && holder.undefended ? { holder: holder.workspace_id } : undefined
  return (await isReleased(db, host)) ? { holder: undefined } : undefined
}
