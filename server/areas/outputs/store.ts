import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Db, Tables } from '../../tables.ts'

export interface NewOutput extends Pick<Insertable<Tables['outputs']>, 'stream' | 'text'> {
  /** When it was said; without it now. */
  at?: Date | undefined
}

/** Behind what is there. Whoever appends holds the lease of the source, so there is one at a time. */
export async function insertOutputs(
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  pieces: NewOutput[],
): Promise<void> {
  if (pieces.length === 0) return
  const streams = pieces.map(({ stream }) => stream)
  const texts = pieces.map(({ text }) => text)
  const times = pieces.map(({ at }) => at?.toISOString() ?? null)
  await sql`
    insert into outputs (workspace_id, source, seq, stream, text, created_at)
    select ${workspaceId}, ${source}, coalesce((select max(seq) from outputs where source = ${source}), 0) + n, s, t,
      coalesce(at, now())
    from unnest(${streams}::text[], ${texts}::text[], ${times}::timestamptz[]) with ordinality as piece (s, t, at, n)`.execute(
    db,
  )
}

export const listOutputs = (
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  after: number,
  most: number,
) =>
  db
    .selectFrom('outputs')
    .select(['seq', 'stream', 'text', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute()

/** The newest pieces, in their order. */
export async function listLastOutputs(
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('outputs')
    .select('text')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .orderBy('seq', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ text }) => text).toReversed()
}

export const deleteOutputs = (db: Db, workspaceId: Id<'workspace'>, sources: string[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`source = any (${sources})`)
    .execute()

/** How much each row holds, without reading it. */
export async function measureOutputs(db: Db, workspaceId: Id<'workspace'>, source: string) {
  const { rows } = await sql<{ seq: number; bytes: number; lines: number }>`
    select seq, octet_length(text) as bytes, length(text) - length(replace(text, e'\n', '')) as lines
    from outputs where workspace_id = ${workspaceId} and source = ${source} order by seq`.execute(db)
  return rows
}

export const deleteSome = (db: Db, workspaceId: Id<'workspace'>, source: string, seqs: number[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where(sql<boolean>`seq = any (${seqs})`)
    .execute()
