import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { inject, vi } from 'vitest'
import { connectDatabase } from '../../../server/platform/db.ts'
import { createLog } from '../../../server/platform/log.ts'
import type { Tables } from '../../../server/tables.ts'

export interface TestDatabase {
  connection: { host: string; port: number; user: string; database: string; connectionTimeoutMillis: number }
  db: Kysely<Tables>
  pool: Pool
  drop: () => Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, ...server } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  // For a busy machine.
  const connection = { ...server, database, connectionTimeoutMillis: 60_000 }
  // Copying files uses a seventh of the CPU time of the default strategy.
  await administer(server, `create database ${database} template ${template} strategy file_copy`)
  const { db, pool } = connectDatabase<Tables>(connection, createLog('error'))
  return {
    connection,
    db,
    pool,
    async drop() {
      await pool.end()
      // Autovacuum may hold the database for a moment.
      await vi.waitFor(() => administer(server, `drop database ${database} with (force)`))
    },
  }
}

async function administer(server: { host: string; port: number; user: string }, statement: string) {
  const client = new Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
