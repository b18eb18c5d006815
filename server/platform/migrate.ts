import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type pg from 'pg'
import type { Log } from './log.ts'

/**
 * The migration lock: processes that start together migrate one after another. Every version of Slipway must use this
 * constant.
 */
const lock = 7_547_929

export async function migrate(pool: pg.Pool, folder: string, log: Log): Promise<void> {
  const client = await pool.connect()
  try {
    // Timeouts are off, because large tables take long to migrate and other processes wait for the first one.
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query(
      'create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())',
    )
    const files = await listMigrations(folder)
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const unknown = [...done].filter((name) => !files.has(name))
    if (unknown.length > 0)
      throw new Error(
        `The database was created by a newer version of Slipway (migrations ${unknown.join(', ')}). Start that version, or restore a backup.`,
      )
    for (const [name, path] of files) {
      if (done.has(name)) continue
      await runOne(client, name, await readFile(path, 'utf8'))
      log.info({ name }, 'Migrated the database')
    }
  } finally {
    // The connection is closed and not returned to the pool, because its timeouts are off. Closing it also releases the
    // lock.
    client.release(true)
  }
}

/** Returns paths by file name, in the order of the names. Subfolders only group the files. */
async function listMigrations(folder: string): Promise<Map<string, string>> {
  const paths = await readdir(folder, { recursive: true })
  const files = paths.filter((path) => path.endsWith('.sql')).map((path) => [basename(path), path] as const)
  return new Map(
    files.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, path]) => [name, join(folder, path)]),
  )
}

async function runOne(client: pg.PoolClient, name: string, sql: string) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
