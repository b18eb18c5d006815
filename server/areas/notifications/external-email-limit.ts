import { sql } from 'kysely'
import type { Db } from '../../tables.ts'

export async function listExternalAddresses(
  db: Db,
  workspaceId: string,
  addresses: string[],
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from unnest(${addresses}::text[]) address
    where not exists (select from members m join users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId} and lower(u.email) = address and u.email_verified_at is not null)`.execute(
    db,
  )
  const outside = new Set(rows.map(({ address }) => address))
  return addresses.filter((address) => outside.has(address))
}

/** Limits emails to outside addresses: anybody can create a workspace and could flood people in the operator's name. */
export async function reserveExternalEmails(
  db: Db,
  workspaceId: string,
  letters: number,
  maxPerHour: number,
): Promise<number> {
  // The count decays evenly. A time in the future stems from before a clock change.
  const left = sql`(case when o.counted_at > now() then 0 else greatest(
    0, o.letters - ${maxPerHour}::float8 * extract(epoch from now() - o.counted_at)::float8 / 3600) end)`
  const { rows } = await sql`
    insert into outside_letters as o (workspace_id, letters) values (${workspaceId}, ${letters})
    on conflict (workspace_id) do update set counted_at = now(), letters = ${left} + excluded.letters
    where ${left} + excluded.letters <= ${maxPerHour}
    returning workspace_id`.execute(db)
  if (rows.length > 0) return 0
  const { rows: full } = await sql<{ seconds: number }>`
    select ceil((${left} + ${letters} - ${maxPerHour}) * 3600 / ${maxPerHour})::integer as seconds
    from outside_letters o where workspace_id = ${workspaceId}`.execute(db)
  return Math.max(1, full[0]?.seconds ?? 1)
}
