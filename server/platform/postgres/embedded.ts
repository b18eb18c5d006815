import { join } from 'node:path'
import type { Log } from '../log.ts'
import { chooseAccount } from './run-program.ts'
import { findBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import {
  type Connection,
  ensureDatabase,
  openSocketConnection,
  type SocketConnection,
  socketPath,
} from './database.ts'
import { type PostgresStatus, Supervisor } from './supervisor.ts'
import { existsSync } from 'node:fs'

export interface EmbeddedPostgres {
  connection: Connection
  status(): PostgresStatus
  stop(): Promise<void>
}

export interface Options {
  dataDir: string
  binDir?: string | undefined
  log: Log
}

export async function startPostgres({ dataDir, binDir, log }: Options): Promise<EmbeddedPostgres> {
  const pgdata = join(dataDir, 'postgres')
  const account = await chooseAccount(pgdata)
  const binaries = await findBinaries(dataDir, account, binDir)
  await ensureCluster(pgdata, binaries, account)
  const way = await openSocketConnection(pgdata)
  const { connection } = way
  const supervisor = new Supervisor({ pgdata, binaries, account, connection }, log)
  const stop = async () => {
    await supervisor.stop()
    await way.release()
  }
  try {
    await supervisor.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { connection, stop, status: () => supervisor.status() }
}

export async function findRunningPostgres(dataDir: string): Promise<SocketConnection | undefined> {
  const pgdata = join(dataDir, 'postgres')
  if (!existsSync(socketPath(pgdata))) return undefined
  const way = await openSocketConnection(pgdata)
  try {
    await ensureDatabase(way.connection)
    return way
  } catch {
    // A crashed process leaves its socket behind.
    await way.release()
    return undefined
  }
}
