import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { conflict, type Problem } from '../../../errors.ts'
import { resolveTxt } from '../../../platform/net/resolve.ts'
import type { Db, Tables, Trx } from '../../../tables.ts'
import { findReservation } from './reserved-host.ts'

export type HostName = Selectable<Tables['host_names']>
export type HostProof = NonNullable<HostName['proof']>

/**
 * The TXT record that assigns a name to a workspace. Its value is derived from both, so it is not stored, is useless
 * to other workspaces and is not secret.
 */
export function toTxtRecord(workspaceId: Id<'workspace'>, host: string): { name: string; value: string } {
  const token = createHash('sha256').update(`slipway host name\0${workspaceId}\0${host}`).digest('hex')
  return { name: `_slipway.${host}`, value: `slipway-verification=${token.slice(0, 40)}` }
}

export async function hasTxtRecord(
  { config }: Pick<Context, 'config'>,
  workspaceId: Id<'workspace'>,
  host: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const { name, value } = toTxtRecord(workspaceId, host)
  const records = await resolveTxt(name, config.DNS_SERVER, signal).catch(() => [])
  return records.some((record) => record.trim() === value)
}

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

/** Limits unverified names: each is checked hourly and blocks others from adding it. */
const MOST_WAITING = 50

/** Claims names until their last domain is removed. Throws 409 for names that the workspace cannot have. */
export async function claimHosts(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  hosts: readonly string[],
  { generated, proof }: { generated?: string | undefined; proof?: HostProof } = {},
): Promise<void> {
  const held = await listHostNames(trx, workspaceId, hosts)
  // Sorted, so that concurrent transactions do not deadlock.
  for (const host of [...new Set(hosts)].toSorted()) {
    const reservation = findReservation(ctx.config, host, held.has(host) ? host : generated)
    if (reservation) throw reservation
    if (proof) await trx.deleteFrom('released_host_names').where('host', '=', host).execute()
    const { rows } = await sql<{ claimed: boolean }>`
      select claim_host_name(${workspaceId}, ${host}) as claimed`.execute(trx)
    if (!rows[0]?.claimed) throw unavailable(await findHolder(trx, workspaceId, host), workspaceId, host)
    if (proof) await saveProof(trx, workspaceId, host, proof)
    else if (!held.has(host) && host !== generated) await mustNotWaitForMore(trx, workspaceId)
  }
}

async function mustNotWaitForMore(trx: Trx, workspaceId: Id<'workspace'>): Promise<void> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from host_names n where n.workspace_id = ${workspaceId} and n.verified_at is null
      and not exists (select from domains d where d.workspace_id = n.workspace_id and d.host = n.host and d.generated)
    `.execute(trx)
  if ((rows[0]?.waiting ?? 0) > MOST_WAITING)
    throw conflict(
      'host_names_waiting',
      `This workspace has reached the limit of ${MOST_WAITING} unverified domains. To verify a domain, point it to its server or create its TXT record, then re-check it. Remove domains that you do not use.`,
    )
}

export async function findHostProblem(
  ctx: Pick<Context, 'config'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<Problem | undefined> {
  const isHeld = (await listHostNames(db, workspaceId, [host])).has(host)
  const reservation = findReservation(ctx.config, host, isHeld ? host : undefined)
  if (reservation || isHeld) return reservation
  const holder = await findHolder(db, workspaceId, host)
  return holder || (await isReleased(db, host)) ? unavailable(holder, workspaceId, host) : undefined
}

export async function isHostHeld(db: Db, host: string): Promise<boolean> {
  const { rows } = await sql`select from host_names where host = any(${overlapping(host)}) limit 1`.execute(
    db,
  )
  return rows.length > 0 || isReleased(db, host)
}

export async function isReleased(db: Db, host: string): Promise<boolean> {
  const row = await db
    .selectFrom('released_host_names')
    .select('host')
    .where('host', '=', host)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A claim gives way to a proven one if it is unverified, or if its checks have failed for 30 days. The last check
 * must be recent, since nothing is checked while Slipway is stopped.
 */
export const isUndefended = sql<boolean>`(verified_at is null
  or (failing_since < now() - interval '30 days' and checked_at > now() - interval '3 days'))`

const overlapping = (host: string) => [host, `*.${host}`, `*.${host.slice(host.indexOf('.') + 1)}`]

export type Holder = HostName & { undefended: boolean }

export async function findHolder(
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<Holder | undefined> {
  const { rows } = await sql<Holder>`
    select *, coalesce(${isUndefended}, false) as undefended from host_names
    where host = any(${overlapping(host)}) and workspace_id <> ${workspaceId}
    order by host = ${host} desc limit 1`.execute(db)
  return rows[0]
}

/** The message does not reveal which workspace holds the name. Without a holder, the name was released. */
function unavailable(holder: Holder | undefined, workspaceId: Id<'workspace'>, host: string): Problem {
  const { name, value } = toTxtRecord(workspaceId, host)
  const prove = `create the TXT record ${name} with the value ${value}, then try again.`
  if (!holder)
    return conflict(
      'host_released',
      `An instance owner released the domain ${host}, so ownership must be proven. If it is yours, ${prove}`,
    )
  const todo =
    holder.host === host && holder.undefended
      ? `If it is yours, ${prove}`
      : 'If it is yours, ask an instance owner to release it.'
  return conflict('host_taken', `The domain ${host} is already in use. ${todo}`)
}

export async function saveProof(
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
      failing_since: null,
      needs_txt: false,
      problem: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
