import { Client } from 'pg'
import { hasErrorCode } from './files.ts'
import { join } from 'node:path'
import { openSocketDir } from '../data-dir.ts'

export interface Connection {
  host: string
  port: number
  user: string
  database: string
}

const MISSING_ROLE = '28000'
const MISSING_DATABASE = '3D000'

export function isStartingOrStopping(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03')
}

export async function ensureDatabase(connection: Connection): Promise<void> {
  try {
    await query(connection, ['select 1'])
  } catch (error) {
    if (!hasErrorCode(error, MISSING_ROLE, MISSING_DATABASE)) throw error
    await createDatabase(connection)
  }
}

/** Creates a role without superuser rights, so that injected SQL cannot read files or run programs. */
async function createDatabase(connection: Connection): Promise<void> {
  const { user, database } = connection
  const role = `do $$ begin create role ${user} login createdb; exception when duplicate_object then null; end $$`
  await query({ ...connection, user: 'postgres', database: 'postgres' }, [
    role,
    `create database ${database} owner ${user}`,
  ])
}

async function query(connection: Connection, statements: string[]): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
  // A lost connection also rejects the awaited promise.
  client.on('error', () => {})
  try {
    await client.connect()
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export interface SocketConnection {
  connection: Connection
  release(): Promise<void>
}

const PORT = 5432

export const socketPath = (folder: string) => join(folder, `.s.PGSQL.${PORT}`)

export async function openSocketConnection(pgdata: string): Promise<SocketConnection> {
  const folder = await openSocketDir(pgdata, socketPath('').length)
  const connection = { host: folder.path, port: PORT, user: 'slipway', database: 'slipway' }
  return { connection, release: () => folder.release() }
}
