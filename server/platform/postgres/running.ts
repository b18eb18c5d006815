import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDatabase } from './database.ts'
import { socketPath, type SocketConnection, openSocketConnection } from './socket.ts'

/** Connects to the PostgreSQL that another Slipway process runs on this data folder, if any. */
export async function findRunningPostgres(dataDir: string): Promise<SocketConnection | undefined> {
  const pgdata = join(dataDir, 'postgres')
  if (!existsSync(socketPath(pgdata))) return undefined
  const way = await openSocketConnection(pgdata)
  try {
    await ensureDatabase(way.connection)
    return way
  } catch {
    // A process that died left the socket behind.
    await way.release()
    return undefined
  }
}
