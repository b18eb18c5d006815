import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { socketDir } from '../data-dir-socket.ts'
import { type Connection, reachDatabase } from './database.ts'

/** The way to the database that another process of ours runs on this data folder, if one does. */
export async function findRunning(
  dataDir: string,
): Promise<{ connection: Connection; release: () => Promise<void> } | undefined> {
  const pgdata = join(dataDir, 'postgres')
  const socketName = '.s.PGSQL.5432'
  if (!existsSync(join(pgdata, socketName))) return undefined
  const socket = await socketDir(pgdata, socketName.length)
  const release = () => socket.release()
  const connection = { host: socket.path, port: 5432, user: 'slipway', database: 'slipway' }
  try {
    await reachDatabase(connection)
    return { connection, release }
  } catch {
    // A socket that nobody listens on was left by a process that died.
    await release()
    return undefined
  }
}
