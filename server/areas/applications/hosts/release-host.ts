import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { emit } from '../../../events.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Db, Trx } from '../../../tables.ts'
import { applicationTarget } from '../application.ts'
import {
  claimHosts,
  findHolder,
  hasTxtRecord,
  type HostProof,
  isReleased,
  isUndefended,
} from './host-names.ts'
import { requestProxySync } from '../../servers/proxy-sync.ts'
import { isBelowWildcard, isReservedHost, reservedHosts } from './reserved-host.ts'

/**
 * Releases a name with its certificate and key. Its domains stay, but are no longer routed. Returns the workspace
 * that held it; undefined if none did. A `takeOver` requires that the claim is still undefended.
 */
export async function releaseHost(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  host: string,
  { takeOver = false } = {},
): Promise<Id<'workspace'> | undefined> {
  const row = await trx
    .deleteFrom('host_names')
    .where('host', '=', host)
    .$if(takeOver, (query) => query.where(isUndefended))
    .returning('workspace_id')
    .executeTakeFirst()
  if (!row) return undefined
  const { workspace_id: workspaceId } = row
  const applications = await trx
    .selectFrom('applications as a')
    .select(['a.id', 'a.name', 'a.workspace_id', 'a.server_id'])
    .where('a.workspace_id', '=', workspaceId)
    .where((on) =>
      on.exists(
        on
          .selectFrom('domains as d')
          .select('d.id')
          .whereRef('d.workspace_id', '=', 'a.workspace_id')
          .whereRef('d.application_id', '=', 'a.id')
          .where('d.host', '=', host),
      ),
    )
    .execute()
  const type = takeOver ? 'application.domain_taken_over' : 'application.domain_released'
  const detail = takeOver ? `${host}, because another workspace proved ownership` : host
  for (const application of applications) {
    await emit(trx, 'slipway', workspaceId, type, applicationTarget(application), detail)
    await requestProxySync(ctx, trx, application)
  }
  return workspaceId
}

/** The next claim requires a proof. Names below WILDCARD_DOMAIN cannot be proven: Slipway assigns them. */
export async function requireProof(ctx: Pick<Context, 'config'>, trx: Trx, host: string): Promise<void> {
  if (isBelowWildcard(ctx.config, host)) return
  await sql`insert into released_host_names (host) values (${host}) on conflict do nothing`.execute(trx)
}

/** Releases names without domains, which remain after an aborted take-over, and reserved ones. */
export async function releaseUnusedHosts(ctx: Context): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    for (const host of reservedHosts(ctx.config)) await releaseHost(ctx, trx, host)
    const unused = sql`not exists (select from domains d where d.workspace_id = n.workspace_id and d.host = n.host)`
    const { rows } = await sql<{ host: string }>`
      select host from host_names n where ${unused} for update`.execute(trx)
    // Check again under the lock: a domain may have been added meanwhile.
    const hosts = rows.map(({ host }) => host)
    await sql`delete from host_names n where host = any(${hosts}) and ${unused}`.execute(trx)
  })
}

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
