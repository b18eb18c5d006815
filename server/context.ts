import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Bus } from './platform/bus.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mailer.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Hosts } from './remote/host.ts'
import type { Tables } from './tables.ts'

/** All that the program works with; made once in `open.ts`, passed first everywhere. */
export interface Context {
  config: Config
  log: Log
  pool: pg.Pool
  db: Kysely<Tables>
  bus: Bus
  secrets: Secrets
  /** The machines, by how they are reached. */
  hosts: Hosts
  /** Absent when no mail server is set. Follows the settings of the instance. */
  readonly mail: Mailer | undefined
  /** Makes `mail` follow settings that this process has just changed. */
  refreshMail(): Promise<void>
  now(): Date
  /** Whether the database is well, and if not why. */
  health(): { ok: true } | { ok: false; reason: string }
}
