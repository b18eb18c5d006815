import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { reachDatabase } from './database.ts'
import { socketIn, type Way, wayTo } from './socket.ts'

/** The way to the database that another process of ours runs on this data folder, if one does. */
export async function findRunning(dataDir: string): Promise<Way | undefined> {
  const pgdata = join(dataDir, 'postgres')
  if (!existsSync(socketIn(pgdata))) return undefined
  const way = await wayTo(pgdata)
  try {
    await reachDatabase(way.connection)
    return way
  } catch {
    // A socket that nobody listens on was left by a process that died.
    await way.release()
    return undefined
  }
}
