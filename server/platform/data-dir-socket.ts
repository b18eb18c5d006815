import { createHash } from 'node:crypto'
import { close, constants, open } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The system's limit for a unix socket's path is 108 bytes on Linux and 104 on macOS, the closing zero included. */
const LONGEST_PATH = 103

export interface SocketDir {
  path: string
  release(): Promise<void>
}

/**
 * Returns a path for `dir` that is short enough for sockets with names of up to `nameLength` bytes. A long path is
 * replaced by an open handle (Linux) or a link in the home folder (macOS); a temporary folder could be cleaned up.
 */
export async function openSocketDir(
  dir: string,
  nameLength: number,
  platform = process.platform,
): Promise<SocketDir> {
  if (Buffer.byteLength(dir) + 1 + nameLength <= LONGEST_PATH) return { path: dir, release: async () => {} }
  if (platform === 'linux') {
    const handle = await promisify(open)(dir, constants.O_RDONLY | constants.O_DIRECTORY)
    return { path: `/proc/self/fd/${handle}`, release: () => promisify(close)(handle) }
  }
  const links = join(homedir(), '.slipway')
  await mkdir(links, { recursive: true, mode: 0o700 })
  const link = join(links, createHash('sha256').update(dir).digest('hex').slice(0, 12))
  await symlink(dir, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // The link stays: another process may use it, and the next start reuses it.
  return { path: link, release: async () => {} }
}

/** A process listens on the socket but did not reply in time. */
export const NO_REPLY = 'silence'

/** Reads what the listener on a socket sends. Returns undefined when no process listens. */
export function readFromSocket(path: string, patience = 2000): Promise<string | undefined> {
  return new Promise((resolve) => {
    let words = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(patience, () => {
      resolve(NO_REPLY)
      socket.destroy()
    })
    socket.on('data', (chunk) => (words += String(chunk)))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined)
      else if (error.code !== 'ECONNRESET') resolve(NO_REPLY)
    })
    socket.on('close', () => resolve(words))
  })
}
