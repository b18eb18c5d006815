import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { registerSecretKey } from './reseal.ts'
import { claimDataDir } from './platform/data-dir.ts'
import { assertDatabaseReachable, connectDatabase } from './platform/db.ts'
import { connectBus } from './platform/bus.ts'
import type { Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { findRunningPostgres, startPostgres } from './platform/postgres/embedded.ts'
import { createSecrets, readKeyFile } from './platform/secrets.ts'
import { createProcessState } from './process-state.ts'
import { createHosts } from './remote/host.ts'
import { root } from './root.ts'
import type { Tables } from './tables.ts'
import { createMailer, type Mailer } from './platform/mailer.ts'
import { getSettings } from './settings.ts'

interface OpenedContext {
  ctx: Context
  connection: pg.PoolConfig
  close: () => Promise<void>
}

/**
 * Opens the context of a process. With `beside`, it uses the embedded database of a running Slipway if there is one.
 */
export async function openContext(config: Config, log: Log, { beside = false } = {}): Promise<OpenedContext> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const { connection, health } = await openDatabase(config, log, undo, beside)
    const { pool, db } = connectDatabase<Tables>(connection, log)
    undo.push(() => pool.end())
    if (config.DATABASE_URL) await assertDatabaseReachable(pool)
    await migrate(pool, join(root, 'server/migrations'), log)
    const secrets = createSecrets(config.SECRET_KEY ?? [await readKeyFile(config.DATA_DIR)])
    await registerSecretKey(db, secrets)
    const bus = connectBus(connection, log)
    undo.push(() => bus.close())
    const hosts = createHosts(log)
    undo.push(() => hosts.close())
    const ctx = await createContext({ config, log, pool, db, bus, secrets, hosts, health })
    undo.push(async () => ctx.locks.close())
    return { ctx, connection, close }
  } catch (error) {
    await close()
    throw error
  }
}

type ContextParts = Pick<Context, 'config' | 'log' | 'pool' | 'db' | 'bus' | 'secrets' | 'hosts' | 'health'>

export async function createContext(parts: ContextParts): Promise<Context> {
  const state = createProcessState(parts, () => ctx)
  const outgoing = await followMailSettings({ ...parts, ...state })
  const ctx: Context = {
    ...parts,
    ...state,
    get mail() {
      return outgoing.current
    },
    refreshMail: () => outgoing.refresh(),
    now: () => new Date(),
  }
  return ctx
}

type Undo = (() => Promise<unknown>)[]

async function openDatabase(config: Config, log: Log, undo: Undo, beside: boolean) {
  const trusted = () => ({ ok: true }) as const
  if (config.DATABASE_URL) return { connection: { connectionString: config.DATABASE_URL }, health: trusted }
  const running = beside ? await findRunningPostgres(config.DATA_DIR) : undefined
  if (running) {
    undo.push(() => running.release())
    return { connection: running.connection, health: trusted }
  }
  const dir = await claimDataDir(config.DATA_DIR)
  undo.push(() => dir.release())
  const postgres = await startPostgres({ dataDir: dir.path, binDir: config.PG_BIN, log })
  undo.push(() => postgres.stop())
  return { connection: postgres.connection, health: () => postgres.status() }
}

type MailScope = Pick<Context, 'bus' | 'settingsCache' | 'db' | 'config' | 'secrets' | 'log'>

interface OutgoingMail {
  readonly current: Mailer | undefined
  refresh(): Promise<void>
}

async function followMailSettings(ctx: MailScope): Promise<OutgoingMail> {
  let current: Mailer | undefined
  let applied = ''
  const refresh = async () => {
    const { smtpUrl, mailFrom } = await getSettings(ctx)
    const settings = JSON.stringify([smtpUrl, mailFrom])
    if (settings === applied) return
    applied = settings
    current = createMailer({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom }, ctx.log)
  }
  const refreshLater = () =>
    void refresh().catch((error: unknown) =>
      ctx.log.warn({ reason: String(error) }, 'Failed to read the email settings'),
    )
  await refresh()
  ctx.bus.on('settings', refreshLater)
  ctx.bus.onReconnect(refreshLater)
  return {
    get current() {
      return current
    },
    refresh,
  }
}
