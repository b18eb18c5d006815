import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { conflict, type Problem } from '../../errors.ts'
import { type Doer, emit } from '../../events.ts'
import { resolveTxt } from '../../platform/resolve.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import { targetOf } from './application.ts'
import { requestProxySync } from './proxy-sync.ts'

export type HostName = Selectable<Tables['host_names']>
export type HostProof = NonNullable<HostName['proof']>

/** The host of PUBLIC_URL serves the console: an application there would get the console's sessions. */
export const consoleHost = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) =>
  new URL(PUBLIC_URL).hostname.replace(/\.$/, '')

/**
 * The TXT record by which the owner of a name assigns it to a workspace. Its value is derived from both, so it needs no storage and
 * is of no use to another workspace; it is not a secret.
 */
export function txtRecordOf(workspaceId: Id<'workspace'>, host: string): { name: string; value: string } {
  const token = createHash('sha256').update(`slipway host name\0${workspaceId}\0${host}`).digest('hex')
  return { name: `_slipway.${host}`, value: `slipway-verification=${token.slice(0, 40)}` }
}

export async function hasTxtRecord(
  { config }: Pick<Context, 'config'>,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<boolean> {
  const { name, value } = txtRecordOf(workspaceId, host)
  const records = await resolveTxt(name, config.DNS_SERVER).catch(() => [])
  return records.some((record) => record.trim() === value)
}

/** Those of these names that the workspace holds. */
export async function listHostNames(
  db: Db,
  workspaceId: Id<'workspace'>,
  hosts: readonly string[],
): Promise<Map<string, HostName>> {
  const rows = await db
    .selectFrom('host_names')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', sql<string>`any(${[...hosts]})`)
    .execute()
  return new Map(rows.map((row) => [row.host, row]))
}

/** Claims the names for the workspace until its last domain with each of them is removed. Throws 409 for one that it cannot have. */
export async function claimHosts(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  hosts: readonly string[],
): Promise<void> {
  // In one order, so that two transactions do not wait for each other.
  for (const host of [...new Set(hosts)].toSorted()) {
    if (host === consoleHost(ctx.config)) throw reserved(host)
    const { rows } = await sql<{ claimed: boolean }>`
      select claim_host_name(${workspaceId}, ${host}) as claimed`.execute(trx)
    if (!rows[0]?.claimed) throw taken(await findHolder(trx, workspaceId, host), workspaceId, host)
  }
}

/** Why the workspace cannot have a name, without claiming it. */
export async function findHostProblem(
  ctx: Pick<Context, 'config'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<Problem | undefined> {
  if (host === consoleHost(ctx.config)) return reserved(host)
  const holder = await findHolder(db, workspaceId, host)
  return holder && taken(holder, workspaceId, host)
}

/** Whether a name is held by any workspace, or covered by a wildcard that is. */
export async function isHostHeld(db: Db, host: string): Promise<boolean> {
  const { rows } = await sql`select from host_names where host = any(${overlapping(host)}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

const overlapping = (host: string) => [host, `*.${host}`, `*.${host.slice(host.indexOf('.') + 1)}`]

async function findHolder(db: Db, workspaceId: Id<'workspace'>, host: string): Promise<HostName | undefined> {
  const { rows } = await sql<HostName>`
    select * from host_names where host = any(${overlapping(host)}) and workspace_id <> ${workspaceId}
    order by host = ${host} desc limit 1`.execute(db)
  return rows[0]
}

const reserved = (host: string) =>
  conflict(
    'host_reserved',
    `The domain ${host} is the address of this Slipway's console. Choose another name.`,
  )

/** Does not say which workspace holds it. */
function taken(holder: HostName | undefined, workspaceId: Id<'workspace'>, host: string): Problem {
  const { name, value } = txtRecordOf(workspaceId, host)
  const todo = canBeTakenOver(holder, host)
    ? `If it is yours, create the TXT record ${name} with the value ${value}, then try again.`
    : 'If it is yours, ask the operator of this Slipway to release it.'
  return conflict('host_taken', `The domain ${host} is already in use on this Slipway. ${todo}`)
}

/** A claim without a proof gives way to a workspace that has one. */
const canBeTakenOver = (holder: HostName | undefined, host: string) =>
  holder?.host === host && holder.verified_at === null

/**
 * Moves names that another workspace claimed without a proof to this one, where this one can prove them: an unproven claim must not
 * keep the owner of a name out.
 */
export async function takeOverHosts(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  hosts: readonly string[],
  prove: (host: string, holder: Id<'workspace'>) => Promise<HostProof | undefined> = async (host) =>
    (await hasTxtRecord(ctx, workspaceId, host)) ? 'dns_txt' : undefined,
): Promise<void> {
  for (const host of new Set(hosts)) {
    if (host === consoleHost(ctx.config)) continue
    const holder = await findHolder(ctx.db, workspaceId, host)
    if (!holder || !canBeTakenOver(holder, host)) continue
    const proof = await prove(host, holder.workspace_id)
    if (!proof) continue
    await transaction(ctx.db, async (trx) => {
      // It may have been proven, or have gone to another workspace, meanwhile.
      const now = await findHolder(trx, workspaceId, host)
      if (now?.workspace_id !== holder.workspace_id || !canBeTakenOver(now, host)) return
      await releaseHost(ctx, trx, 'slipway', host, { unproven: true })
      await claimHosts(ctx, trx, workspaceId, [host])
      await noteProof(trx, workspaceId, host, proof)
    })
  }
}

/** The workspace controls the name, by this proof. False when it does not hold it any more. */
export async function noteProof(
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
  proof: HostProof,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('host_names')
    .set({
      proof,
      verified_at: sql<Date>`coalesce(verified_at, now())`,
      checked_at: sql<Date>`now()`,
      needs_txt: false,
      problem: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Takes a name from the workspace that holds it, with its certificate and key. The domains stay, are routed no more and say why.
 * Returns that workspace; undefined when nobody holds the name.
 */
export async function releaseHost(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  doer: Doer,
  host: string,
  { unproven = false } = {},
): Promise<Id<'workspace'> | undefined> {
  const row = await trx
    .deleteFrom('host_names')
    .where('host', '=', host)
    .$if(unproven, (query) => query.where('verified_at', 'is', null))
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
  for (const application of applications) {
    await emit(trx, doer, workspaceId, 'application.domain_released', targetOf(application), host)
    await requestProxySync(ctx, trx, application)
  }
  return workspaceId
}

/** Releases names that no domain uses, which a take-over leaves when the domain is not added after all, and that of the console. */
export async function releaseUnusedHosts(ctx: Context): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await releaseHost(ctx, trx, 'slipway', consoleHost(ctx.config))
    const unused = sql`not exists (select from domains d where d.workspace_id = n.workspace_id and d.host = n.host)`
    const { rows } = await sql<{ host: string }>`
      select host from host_names n where ${unused} for update`.execute(trx)
    // Looked at again under the lock: a domain may have been added meanwhile.
    const hosts = rows.map(({ host }) => host)
    await sql`delete from host_names n where host = any(${hosts}) and ${unused}`.execute(trx)
  })
}
