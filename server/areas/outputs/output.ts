import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'

type WithSecrets = Pick<Context, 'secrets'>

export interface NewOutput extends Pick<Insertable<Tables['outputs']>, 'stream' | 'origin'> {
  text: string
  at?: Date | undefined
}

/** Output may contain secrets, so it is sealed. It is bound to its source, because the row number is not known yet. */
const sealContext = (source: string) => `outputs.text_sealed:${source}`

/**
 * Appends output. The caller holds the lease of the source, so there is one writer, and saves the read position in the
 * same transaction.
 */
export async function appendOutput(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  pieces: NewOutput[],
): Promise<void> {
  if (pieces.length === 0) return
  const streams = pieces.map(({ stream }) => stream)
  const origins = pieces.map(({ origin }) => origin ?? null)
  const texts = pieces.map(({ text }) => secrets.seal(sealContext(source), text))
  const bytes = pieces.map(({ text }) => Buffer.byteLength(text))
  const lines = pieces.map(({ text }) => text.split('\n').length - 1)
  const times = pieces.map(({ at }) => at?.toISOString() ?? null)
  await sql`
    insert into outputs (workspace_id, source, seq, stream, origin, text_sealed, bytes, lines, created_at)
    select ${workspaceId}, ${source}, coalesce((select max(seq) from outputs where source = ${source}), 0) + n, s, o, t, b, l,
      coalesce(at, now())
    from unnest(${streams}::text[], ${origins}::text[], ${texts}::text[], ${bytes}::integer[], ${lines}::integer[], ${times}::timestamptz[])
      with ordinality as piece (s, o, t, b, l, at, n)`.execute(db)
}

export async function listOutputs(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  after = 0,
  limit = 1_000_000,
) {
  const rows = await db
    .selectFrom('outputs')
    .select(['seq', 'stream', 'origin', 'text_sealed', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(({ text_sealed, ...row }) => ({
    ...row,
    text: secrets.open(sealContext(source), text_sealed),
  }))
}

export async function readOutput(ctx: WithSecrets, db: Db, workspaceId: Id<'workspace'>, source: string) {
  const rows = await listOutputs(ctx, db, workspaceId, source)
  const joinStream = (stream: 'stdout' | 'stderr') =>
    rows.map((row) => (row.stream === stream ? row.text : '')).join('')
  return { stdout: joinStream('stdout'), stderr: joinStream('stderr') }
}

export async function readLines(ctx: WithSecrets, db: Db, workspaceId: Id<'workspace'>, source: string) {
  const rows = await listOutputs(ctx, db, workspaceId, source)
  return splitLines(joinPieces(rows))
}

type OutputPiece = Pick<NewOutput, 'stream' | 'origin' | 'text'>

/** Key of a stream and origin. A line continues only in a piece with the same key. */
export const lineKey = ({ stream, origin }: Pick<OutputPiece, 'stream' | 'origin'>) =>
  `${stream} ${origin ?? ''}`

/**
 * Separates complete lines from unfinished ones. Lines are in the order of their ends, because another piece can lie
 * within a line.
 */
function separateLines(pieces: readonly OutputPiece[]): { lines: string; rests: Map<string, string> } {
  const rests = new Map<string, string>()
  const lines = pieces.map((piece) => {
    const text = (rests.get(lineKey(piece)) ?? '') + piece.text
    const end = text.lastIndexOf('\n') + 1
    rests.set(lineKey(piece), text.slice(end))
    return text.slice(0, end)
  })
  return { lines: lines.join(''), rests }
}

function joinPieces(pieces: readonly OutputPiece[]): string {
  const { lines, rests } = separateLines(pieces)
  return (
    lines +
    [...rests.values()]
      .filter(Boolean)
      .map((rest) => `${rest}\n`)
      .join('')
  )
}

/** Returns the beginnings of lines that end after the piece `until`, by key. */
export async function readUnfinishedLines(
  ctx: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  until: number,
) {
  const rows = await listOutputs(ctx, db, workspaceId, source)
  return separateLines(rows.filter(({ seq }) => seq <= until)).rests
}

export async function readLastLines(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  count: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('outputs')
    .select('text_sealed')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .orderBy('seq', 'desc')
    .limit(count + 1)
    .execute()
  const texts = rows.map((row) => secrets.open(sealContext(source), row.text_sealed)).toReversed()
  return splitLines(texts.join('')).slice(-count)
}

const splitLines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

export const deleteOutput = (db: Db, workspaceId: Id<'workspace'>, sources: string[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`source = any (${sources})`)
    .execute()

export async function measureOutput(db: Db, workspaceId: Id<'workspace'>, source: string) {
  const { rows } = await sql<LogRow>`
    select seq, bytes, lines from outputs where workspace_id = ${workspaceId} and source = ${source} order by seq`.execute(
    db,
  )
  return rows
}

export const deletePieces = (db: Db, workspaceId: Id<'workspace'>, source: string, seqs: number[]) =>
  db
    .deleteFrom('outputs')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where(sql<boolean>`seq = any (${seqs})`)
    .execute()

const keptBytes = 1_048_576

export interface LogRow {
  seq: number
  bytes: number
  lines: number
}

/** Chooses the pieces to drop from a log that is too long: the beginning and the end are the most useful. */
export class LogTrimmer {
  private head = 0
  private tail: LogRow[] = []
  private tailBytes = 0
  last = 0

  constructor(rows: LogRow[] = []) {
    for (const row of rows) this.add(row)
  }

  add(row: LogRow): LogRow[] {
    this.last = row.seq
    if (this.head < keptBytes) {
      this.head += row.bytes
      return []
    }
    this.tail.push(row)
    this.tailBytes += row.bytes
    const going: LogRow[] = []
    for (let first = this.tail[0]; first && this.tailBytes - first.bytes >= keptBytes; first = this.tail[0]) {
      going.push(first)
      this.tailBytes -= first.bytes
      this.tail.shift()
    }
    return going
  }
}
