import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Db } from '../../../tables.ts'
import { claimHosts, findHolder, hasTxtRecord, type HostProof, isReleased } from './host-names.ts'
import { releaseHost } from './release-host.ts'
import { isBelowWildcard, isReservedHost } from './reserved-host.ts'

/** Undefined for a released name. */
type Prove = (host: string, holder: Id<'workspace'> | undefined) => Promise<HostProof | undefined>

/**
 * Claims names that require a proof, if the workspace has one now: released names, and names that another workspace
 * holds undefended. Unproven claims must not lock out the owner.
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
      // The claim may have been proven or changed hands meanwhile.
      const now = await findClaim(trx, workspaceId, host)
      if (!now || now.holder !== before.holder) return
      if (now.holder) await releaseHost(ctx, trx, host, { takeOver: true })
      await claimHosts(ctx, trx, workspaceId, [host], { proof })
    })
  }
}

async function findClaim(
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<{ holder: Id<'workspace'> | undefined } | undefined> {
  const holder = await findHolder(db, workspaceId, host)
  if (holder) return holder.host === host && holder.undefended ? { holder: holder.workspace_id } : undefined
  return (await isReleased(db, host)) ? { holder: undefined } : undefined
}
