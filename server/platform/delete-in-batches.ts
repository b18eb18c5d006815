import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

const BATCH = 5_000

/** Deletes the rows of all workspaces that match `old`, in batches to keep locks short. */
export async function deleteInBatches(
  db: QueryExecutorProvider,
  table: string,
  old: RawBuilder<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${old} limit ${BATCH} for update skip locked))`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(BATCH))
}
