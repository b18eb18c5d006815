import type { z } from 'zod'
import type * as contract from '../../../contract/saved-logs.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { forbidden, notFound, searchesBusy } from '../../errors.ts'
import { type Actor, ReplyWithHeaders } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import type { LogEvent } from '../logs/log-batch.ts'
import { openChunk, type SavedLine } from './log-chunks.ts'
import {
  findNextChunk,
  findSavedLogRow,
  findTailStart,
  listChunkNumbers,
  listSavedLogRows,
  type SavedLogRow,
} from './store.ts'

type Query<E extends { query: z.ZodType }> = z.output<E['query']>

export async function listSavedLogs(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  query: Query<typeof contract.listSavedLogs>,
) {
  await getApplicationRow(ctx, actor, id)
  const { rows, page } = await listSavedLogRows(ctx.db, actor.workspace.id, id, query)
  return { logs: rows.map(present), page }
}

const present = (row: SavedLogRow) => ({
  ...reference(row),
  deployment_id: row.deployment_id,
  exit_code: row.exit_code,
  restarts: row.restarts,
  lines: row.lines,
  bytes: row.bytes,
  truncated: row.truncated,
  first_at: row.first_at.toISOString(),
  last_at: row.last_at.toISOString(),
})

const reference = (row: SavedLogRow) => ({
  id: row.id,
  release: row.release,
  service: row.service || null,
  container: { id: row.container_id, name: row.container_name },
})

const maxMatches = 200
const searchTimeout = 5_000

export async function searchSavedLogs(ctx: Context, actor: Actor, id: Id<'application'>, text: string) {
  await getApplicationRow(ctx, actor, id)
  // The number of searches is limited, because they take time from other requests.
  const release = await ctx.savedLogSearches.acquire(AbortSignal.timeout(searchTimeout)).catch(() => {
    throw searchesBusy()
  })
  try {
    return await search(ctx, actor.workspace.id, id, text.toLowerCase())
  } finally {
    release()
  }
}

async function search(ctx: Context, workspaceId: Id<'workspace'>, id: Id<'application'>, wanted: string) {
  const end = Date.now() + searchTimeout
  const matches: ({ log: ReturnType<typeof reference> } & SavedLine)[] = []
  const rows = new Map<Id<'savedLog'>, SavedLogRow | undefined>()
  for (const { id: logId, seq } of await listChunkNumbers(ctx.db, workspaceId, id)) {
    if (Date.now() > end) return { matches, complete: false }
    const chunk = await findNextChunk(ctx.db, workspaceId, logId, { seq })
    if (!rows.has(logId)) rows.set(logId, await findSavedLogRow(ctx.db, workspaceId, id, logId))
    const row = rows.get(logId)
    if (!chunk || !row) continue
    const lines = await openChunk(ctx, chunk)
    const found = lines.filter((line) => line.text.toLowerCase().includes(wanted)).toReversed()
    for (const line of found) {
      if (matches.length === maxMatches) return { matches, complete: false }
      matches.push({ log: reference(row), ...line })
    }
  }
  return { matches, complete: true }
}

interface LogParams {
  id: Id<'application'>
  log_id: Id<'savedLog'>
}

export async function* streamSavedLog(
  ctx: Context,
  actor: Actor,
  params: LogParams,
  query: Query<typeof contract.streamSavedLog>,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
): AsyncGenerator<LogEvent> {
  const row = await getSavedLog(ctx, actor, params)
  yield { id: '', data: { type: 'connected' } }
  for await (const { seq, lines } of readChunks(ctx, row, { ...query, after: lastEventId })) {
    if (signal.aborted || !(await stillHasPermission(ctx, actor, 'containers.read'))) return
    yield {
      id: String(seq),
      data: {
        type: 'lines',
        lines: query.timestamps ? lines : lines.map(({ stream, text }) => ({ stream, text })),
      },
    }
  }
  yield { id: '', data: { type: 'end', reason: 'The container was removed.' } }
}

export async function downloadSavedLog(
  ctx: Context,
  actor: Actor,
  params: LogParams,
  { timestamps }: Query<typeof contract.downloadSavedLog>,
) {
  const row = await getSavedLog(ctx, actor, params)
  async function* text(): AsyncGenerator<string> {
    for await (const { lines } of readChunks(ctx, row, {})) {
      // Lost access aborts the response, because a truncated file must not look complete.
      if (!(await stillHasPermission(ctx, actor, 'containers.read')))
        throw forbidden('You no longer have access to this log.')
      yield lines.map((line) => `${timestamps ? `${line.at} ` : ''}${line.text}\n`).join('')
    }
  }
  return new ReplyWithHeaders(text(), {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${toFileName(row.container_name)}.log"`,
  })
}

/** Replaces unsafe characters, because the name comes from the server. */
const toFileName = (name: string) => name.replaceAll(/[^\w.-]/g, '_').slice(0, 100)

async function getSavedLog(ctx: Context, actor: Actor, { id, log_id }: LogParams): Promise<SavedLogRow> {
  await getApplicationRow(ctx, actor, id)
  const row = await findSavedLogRow(ctx.db, actor.workspace.id, id, log_id)
  if (!row) throw notFound('This log')
  return row
}

interface ChunkRange {
  after?: string | undefined
  since?: string | undefined
  tail?: number | undefined
}

async function* readChunks(
  ctx: Context,
  { workspace_id, id }: SavedLogRow,
  { after, since, tail }: ChunkRange,
): AsyncGenerator<{ seq: number; lines: SavedLine[] }> {
  const resumed = /^\d{1,9}$/.test(after ?? '') ? Number(after) + 1 : undefined
  const start =
    resumed === undefined && tail !== undefined && since === undefined
      ? await findTailStart(ctx.db, workspace_id, id, tail)
      : { seq: resumed ?? 0, skipped: 0 }
  const sinceAt = since === undefined ? undefined : new Date(since)
  // Times of lines have nine digits after the second, so they compare as text.
  const firstStamp = sinceAt?.toISOString().replace('Z', '') ?? ''
  for (let [seq, skipped] = [start.seq, start.skipped]; ; skipped = 0) {
    const chunk = await findNextChunk(ctx.db, workspace_id, id, { seq, last_at: sinceAt })
    if (!chunk) return
    const lines = (await openChunk(ctx, chunk)).slice(skipped).filter(({ at }) => at >= firstStamp)
    if (lines.length > 0) yield { seq: chunk.seq, lines }
    seq = chunk.seq + 1
  }
}
