import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

export interface PageQuery {
  cursor?: string | undefined
  limit: number
  page?: number | undefined
}

export interface SearchQuery extends PageQuery {
  q?: string | undefined
}

export interface Page<Row> {
  rows: Row[]
  page: { next: string | null; total: number }
}

interface Listing {
  /** Query whose columns include those of `order`, as text. */
  from: RawBuilder<unknown>
  /** Columns that order the rows. The last one must be unique. */
  order: [string, ...string[]]
  direction: 'asc' | 'desc'
}

/**
 * Reads one page. The cursor is the sort key of the last row, so that changes between pages neither skip nor repeat
 * rows.
 */
export async function readPage<Row extends object>(
  db: QueryExecutorProvider,
  { from, order, direction }: Listing,
  query: PageQuery,
): Promise<Page<Row>> {
  const columns = sql.join(order.map((name) => sql.ref(name)))
  const after = decodeCursor(query.cursor, order.length)
  const skipped = ((query.page ?? 1) - 1) * query.limit
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  const where = after ? sql`where (${columns}) ${beyond} (${sql.join(after)})` : sql``
  const by = sql.join(order.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
  const count = sql`select count(*) as total from (${from}) as counted`
  const { rows } = await sql<Row & { total: number }>`
    select *, (${count}) from (${from}) as listed ${where} order by ${by}
    limit ${query.limit + 1} offset ${skipped}`.execute(db)
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  const next =
    rows.length > query.limit && last ? encodeCursor(order.map((name) => columnText(last, name))) : null
  // A page after the last row has no row that could carry the total, so it is counted separately.
  const past = after !== undefined || skipped > 0
  const counted = rows[0] ?? (past ? (await sql<{ total: number }>`${count}`.execute(db)).rows[0] : undefined)
  return { rows: shown, page: { next, total: counted?.total ?? 0 } }
}

/** Paginates rows in memory. Sort keys are compared as text and must be unique. */
export function paginateRows<Row>(
  rows: readonly Row[],
  placeOf: (row: Row) => string,
  { cursor, limit }: PageQuery,
  direction: Listing['direction'] = 'desc',
): Page<Row> {
  const after = decodeCursor(cursor, 1)?.[0]
  const isBefore = (value: string, other: string) => (direction === 'asc' ? value < other : value > other)
  const placed = rows
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(({ place }) => after === undefined || isBefore(after, place))
    .toSorted((a, b) => (isBefore(a.place, b.place) ? -1 : 1))
  const shown = placed.slice(0, limit)
  const last = shown.at(-1)
  const next = placed.length > limit && last ? encodeCursor([last.place]) : null
  return { rows: shown.map(({ row }) => row), page: { next, total: rows.length } }
}

const columnText = (row: object, name: string) =>
  String(Object.entries(row).find(([key]) => key === name)?.[1])

const encodeCursor = (parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

/**
 * Thrown for a cursor that this API did not issue. Ignoring such a cursor would make clients read the first page
 * forever.
 */
export class InvalidCursor extends Error {}

function decodeCursor(cursor: string | undefined, length: number): string[] | undefined {
  if (!cursor) return undefined
  const parts = parsed(Buffer.from(cursor, 'base64url').toString('utf8'))
  const whole = Array.isArray(parts) && parts.length === length
  if (whole && parts.every((part) => typeof part === 'string' && !part.includes('\0'))) return parts
  throw new InvalidCursor('The cursor is invalid.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const containsPattern = (value: string) => `%${value.replace(/[\\%_]/g, '\\$&')}%`
