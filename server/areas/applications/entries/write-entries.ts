import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Entry, type EntryTable, replaceEntryRows } from './entries-store.ts'

/** Writes only differences and returns the changed and removed entries. */
export async function writeEntries<Row extends Entry>(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  table: EntryTable,
  before: readonly Row[],
  rows: readonly Row[],
): Promise<Row[]> {
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(rows.map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id))
  const written = rows.filter((row) => !isSame(row, known.get(row.id)))
  const ids = [...gone, ...written].map(({ id }) => id)
  if (ids.length === 0) return []
  await replaceEntryRows(trx, workspaceId, table, ids, written)
  // A new position alone is not a change.
  const isMoved = (row: Row) =>
    isSame({ ...row, position: known.get(row.id)?.position ?? -1 }, known.get(row.id))
  return [...gone, ...written.filter((row) => !isMoved(row))]
}

const isSame = (one: Entry, other: Entry | undefined) =>
  other !== undefined && JSON.stringify(one) === JSON.stringify(other)
