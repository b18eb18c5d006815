import { randomBytes } from 'node:crypto'
import { type QueryExecutorProvider, sql } from 'kysely'

export interface IdempotencyClaim {
  caller: string
  key: string
  requestHash: string
  holder: string
}

export const newClaimHolder = () => randomBytes(9).toString('base64url')

/** Returns whether the claim succeeded. A claim whose request died expires after ten minutes, longer than any request lasts. */
export async function claimIdempotencyKey(
  db: QueryExecutorProvider,
  claim: IdempotencyClaim,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as k (caller, key, request_hash, holder)
    values (${claim.caller}, ${claim.key}, ${claim.requestHash}, ${claim.holder})
    on conflict (caller, key) do update
      set request_hash = excluded.request_hash, holder = excluded.holder, created_at = now()
      where k.reply_sealed is null and k.created_at < now() - interval '10 minutes'
    returning key`.execute(db)
  return rows.length > 0
}

export const storeReply = (
  db: QueryExecutorProvider,
  { caller, key, holder }: IdempotencyClaim,
  sealed: string,
) =>
  sql`update idempotency_keys set reply_sealed = ${sealed}
      where caller = ${caller} and key = ${key} and holder = ${holder}`.execute(db)

export const releaseIdempotencyKey = (db: QueryExecutorProvider, { caller, key, holder }: IdempotencyClaim) =>
  sql`delete from idempotency_keys
      where caller = ${caller} and key = ${key} and holder = ${holder}`.execute(db)

export async function findStoredReply(db: QueryExecutorProvider, { caller, key }: IdempotencyClaim) {
  const { rows } = await sql<{ request_hash: string; reply_sealed: string | null }>`
    select request_hash, reply_sealed from idempotency_keys
    where caller = ${caller} and key = ${key}`.execute(db)
  return rows[0]
}
