import { Kysely, PostgresDialect, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Log } from './log.ts'

// int8 values are read as numbers, because counts and sizes stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface DatabaseConnection<Tables> {
  pool: pg.Pool
  db: Kysely<Tables>
}

export function connectDatabase<Tables>(connection: pg.PoolConfig, log: Log): DatabaseConnection<Tables> {
  const pool = new pg.Pool({
    max: 10,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'slipway',
    ...connection,
  })
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'Lost a database connection'))
  // A connection that breaks while in use fails its query. The event alone must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

export async function assertDatabaseReachable(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    const { host, port } = new pg.Client(pool.options)
    const reason = errorCode(error) ?? 'timed out'
    throw new Error(`Cannot reach the database at ${host}:${port} (${reason}). Check DATABASE_URL.`, {
      cause: error,
    })
  }
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
])

export const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Returns whether a retry can help: the database is unreachable, starting, shutting down or out of connections. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code && (connectionCodes.has(code) || /^(08...|53300|57P0[1-5])$/.test(code))) return true
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(
    error.message,
  )
}

export const isDiskFull = (error: unknown) => errorCode(error) === '53100'

export const violatedForeignKey = (error: unknown): string | undefined =>
  errorCode(error) === '23503' && error instanceof Error && 'constraint' in error
    ? String(error.constraint)
    : undefined

const BATCH = 5_000

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
