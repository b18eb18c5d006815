import { join } from 'node:path'
import { openSocketDir } from '../data-dir-socket.ts'
import type { Connection } from './database.ts'

export interface SocketConnection {
  connection: Connection
  release(): Promise<void>
}

const PORT = 5432

/** PostgreSQL's own name for its socket. */
export const socketPath = (folder: string) => join(folder, `.s.PGSQL.${PORT}`)

/** Connects to a cluster through its socket, under a path that this process can use. */
export async function openSocketConnection(pgdata: string): Promise<SocketConnection> {
  const folder = await openSocketDir(pgdata, socketPath('').length)
  const connection = { host: folder.path, port: PORT, user: 'slipway', database: 'slipway' }
  return { connection, release: () => folder.release() }
}
