import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Db, Tables } from '../../tables.ts'

export interface NewOutput extends Pick<Insertable<Tables['outputs']>, 'stream'> {
  text: string
  /** Defaults to now. */
  at?: Date | undefined
}

/** Output may contain secrets, so it is sealed for its source; the row number is not known yet. */
const place = (source: string) => `outputs.text_sealed:${source}`

/** The caller holds the lease of the source, so there is one writer. */
export async function insertOutputs(
  secrets: Secrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  pieces: NewOutput[],
): Promise<void> {
  if (pieces.length === 0) return
  const streams = pieces.map(({ stream }) => stream)
  const texts = pieces.map(({ text }) => secrets.seal(place(source), text))
  const bytes = pieces.map(({ text }) => Buffer.byteLength(text))
  const lines = pieces.map(({ text }) => text.split('\n').length - 1)
  const times = pieces.map(({ at }) => at?.toISOString() ?? null)
  await sql`
    insert into outputs (workspace_id, source, seq, stream, text_sealed, bytes, lines, created_at)
    select ${workspaceId}, ${source}, coalesce((select max(seq) from outputs where source = ${source}), 0) + n, s, t, b, l,
      coalesce(at, now())
    from unnest(${streams}::text[], ${texts}::text[], ${bytes}::integer[], ${lines}::integer[], ${times}::timestamptz[])
      with ordinality as piece (s, t, b, l, at, n)`.execute(db)
}

export async function listOutputs(
  secrets: Secrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  after: number,
  most: number,
) {
  const rows = await db
    .selectFrom('outputs')
    .select(['seq', 'stream', 'text_sealed', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map(({ text_sealed, ...row }) => ({ ...row, text: secrets.open(place(source), text_sealed) }))
}

export async function listLastOutputs(
  secrets: Secrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('outputs')
    .select('text_sealed')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .orderBy('seq', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => secrets.open(place(source), row.text_sealed)).toReversed()
}

export const deleteOutputs = (db: Db, workspaceId: Id<'workspace'>, sources: string[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`source = any (${sources})`)
    .execute()

export async function measureOutputs(db: Db, workspaceId: Id<'workspace'>, source: string) {
  const { rows } = await sql<{ seq: number; bytes: number; lines: number }>`
    select seq, bytes, lines from outputs where workspace_id = ${workspaceId} and source = ${source} order by seq`.execute(
    db,
  )
  return rows
}

export const deleteOutputRows = (db: Db, workspaceId: Id<'workspace'>, source: string, seqs: number[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where(sql<boolean>`seq = any (${seqs})`)
    .execute()
