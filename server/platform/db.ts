import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from './log.ts'

// Counts and sizes stay far below 2^53.
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
  // An idle connection that dies is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'Lost a database connection'))
  // One that dies while it is used fails its query, which says so; the event by itself must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

/** Fails with a sentence when the database is not there; a person has to read why. */
export async function assertDatabaseReachable(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    const { host, port } = new pg.Client(pool.options)
    const why = errorCode(error) ?? 'timed out'
    throw new Error(`Cannot reach the database at ${host}:${port} (${why}). Check DATABASE_URL.`, {
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

/** The database cannot be reached, is starting or shutting down, or has no connection to spare: worth trying again. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code && (connectionCodes.has(code) || /^(08...|53300|57P0[1-5])$/.test(code))) return true
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(
    error.message,
  )
}

export const isDiskFull = (error: unknown) => errorCode(error) === '53100'

/** The constraint by which a row was to belong to something that was deleted at the same moment. */
export const violatedForeignKey = (error: unknown): string | undefined =>
  errorCode(error) === '23503' && error instanceof Error && 'constraint' in error
    ? String(error.constraint)
    : undefined
