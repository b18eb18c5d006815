import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDatabase } from './database.ts'
import { socketPath, type SocketConnection, openSocketConnection } from './socket.ts'

/** The way to the database that another process of ours runs on this data folder, if one does. */
export async function findRunningPostgres(dataDir: string): Promise<SocketConnection | undefined> {
  const pgdata = join(dataDir, 'postgres')
  if (!existsSync(socketPath(pgdata))) return undefined
  const way = await openSocketConnection(pgdata)
  try {
    await ensureDatabase(way.connection)
    return way
  } catch {
    // A socket that nobody listens on was left by a process that died.
    await way.release()
    return undefined
  }
}
