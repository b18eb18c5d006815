import { events } from '../../../contract/shared/events.ts'
import { toAuditEntry } from '../../events.ts'
import type { Context } from '../../context.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

export async function listAudit(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listEvents(ctx.db, actor.workspace.id, query)
  return { entries: rows.map((row) => toAuditEntry(row, summaries[row.type] ?? row.type)), page }
}

/** A process of an older version may write a type that has been renamed, until it is replaced. */
const summaries: Partial<Record<string, string>> = events

const columns = [
  'time',
  'actor',
  'via',
  'type',
  'target_kind',
  'target_id',
  'target_name',
  'detail',
  'address',
]

/** Yields the audit log as CSV. The rows are read page by page, because the log has no size limit. */
export async function* exportAudit(ctx: Context, actor: Actor, q?: string): AsyncGenerator<string> {
  yield line(columns)
  let rows: Event[] = []
  do {
    rows = await listEventsBefore(ctx.db, actor.workspace.id, q, rows.at(-1)?.id)
    for (const row of rows)
      yield line([
        row.created_at.toISOString(),
        row.actor_name,
        row.via,
        row.type,
        row.target_kind,
        row.target_id,
        row.target_name,
        row.detail,
        row.address,
      ])
  } while (rows.length === exportedAtOnce)
}

const line = (values: (string | null)[]) => `${values.map((value) => cell(value ?? '')).join(',')}\r\n`

/** Quotes a value and disarms text that a spreadsheet would run as a formula. */
const cell = (value: string) =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/**
 * Returns the events after a known one. Undefined if the event is unknown or too many follow, so that the client
 * reloads.
 */
export async function listEventsAfter(ctx: Context, actor: Actor, id: string, most: number) {
  const rows = await listEventsSince(ctx.db, actor.workspace.id, id, most + 1)
  return rows && rows.length <= most ? rows.filter((row) => row.id !== id) : undefined
}

type Event = Selectable<Tables['events']>

function listEvents(db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) {
  return readPage<Event>(
    db,
    { from: matchingEvents(workspaceId, query.q), order: ['id'], direction: 'desc' },
    query,
  )
}

const exportedAtOnce = 1_000

/** Lists a page without a total, which would be counted again for each page. */
async function listEventsBefore(
  db: Db,
  workspaceId: Id<'workspace'>,
  q: string | undefined,
  id: Id<'event'> | undefined,
) {
  const before = id === undefined ? sql`` : sql`and id < ${id}`
  const { rows } = await sql<Event>`
    ${matchingEvents(workspaceId, q)} ${before} order by id desc limit ${exportedAtOnce}`.execute(db)
  return rows
}

function matchingEvents(workspaceId: Id<'workspace'>, q: string | undefined) {
  const like = containsPattern(q ?? '')
  const matching = q
    ? sql`and (actor_name ilike ${like} or target_name ilike ${like} or type ilike ${like}
        or detail ilike ${like})`
    : sql``
  return sql`select * from events where workspace_id = ${workspaceId} ${matching}`
}

/**
 * IDs sort by creation and not by commit, so the query starts ten seconds early. An event that is sent twice does no
 * harm.
 */
async function listEventsSince(db: Db, workspaceId: Id<'workspace'>, id: string, most: number) {
  const events = db.selectFrom('events').where('workspace_id', '=', workspaceId)
  const known = await events
    .select('created_at')
    .where('id', '=', id as Id<'event'>)
    .executeTakeFirst()
  if (!known) return undefined
  const since = new Date(known.created_at.getTime() - 10_000)
  return events.selectAll().where('created_at', '>', since).orderBy('id').limit(most).execute()
}
