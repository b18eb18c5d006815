import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Bus } from './platform/bus.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mailer.ts'
import type { ProcessState } from './process-state.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Hosts } from './remote/host.ts'
import type { Tables } from './tables.ts'

/** State that lives as long as the process: created in `open.ts`, closed in reverse order, and passed as the first argument. */
export interface Context extends ProcessState {
  config: Config
  log: Log
  pool: pg.Pool
  db: Kysely<Tables>
  bus: Bus
  secrets: Secrets
  hosts: Hosts
  /** Undefined without a mail server. Changes with the instance settings. */
  readonly mail: Mailer | undefined
  refreshMail(): Promise<void>
  now(): Date
  health(): { ok: true } | { ok: false; reason: string }
}
