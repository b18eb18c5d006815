import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { close, constants, open } from 'node:fs'
import { homedir } from 'node:os'
import { promisify } from 'node:util'

export interface DataDir {
  path: string
  release(): Promise<void>
}

const NAME = /^claim-(\d+)-[0-9a-f]{6}$/
const NAME_LENGTH = 'claim-4194304-abcdef'.length

/**
 * Claims exclusive use of the data folder. The claim is a listening socket: the kernel closes it when the process dies, so
 * a stale claim is never mistaken for a live one, and other containers that share the folder see it.
 */
export async function claimDataDir(path: string): Promise<DataDir> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const dir = await realpath(path)
    const sockets = await openSocketDir(dir, NAME_LENGTH)
    const claim = await acquireClaim(sockets).catch(async (error: unknown) => {
      await sockets.release()
      throw error
    })
    const release = async () => {
      await closed(claim)
      await sockets.release()
    }
    return { path: dir, release }
  } catch (error) {
    throw toDataDirError(path, error)
  }
}

/**
 * Each process listens under its own name, then checks the others. A process gives up when it finds a holder, or a
 * lower name that is still checking. Of two processes the later one always sees the other, so both cannot hold the
 * claim.
 */
async function acquireClaim(sockets: SocketDir): Promise<Server> {
  const name = `claim-${process.pid}-${randomBytes(3).toString('hex')}`
  let state = 'looking'
  const server = createServer((caller) => caller.on('error', () => {}).end(state))
  await listening(server, join(sockets.path, name))
  try {
    for (;;) {
      const others = await listOtherClaims(sockets.path, name)
      const rival = others.find(
        (other) => other.state === 'holding' || (other.state === 'looking' && other.name < name),
      )
      if (rival) throw new InUse(rival.name)
      if (others.every((other) => other.state === 'gone')) {
        state = 'holding'
        await Promise.all(others.map((stale) => rm(join(sockets.path, stale.name), { force: true })))
        return server
      }
      await sleep(20)
    }
  } catch (error) {
    await closed(server)
    throw error
  }
}

async function listOtherClaims(dir: string, ownName: string) {
  const names = (await readdir(dir)).filter((name) => NAME.test(name) && name !== ownName)
  return Promise.all(
    names.map(async (name) => ({ name, state: toClaimState(await readFromSocket(join(dir, name))) })),
  )
}

function toClaimState(words: string | undefined): 'gone' | 'leaving' | 'looking' | 'holding' {
  if (words === undefined) return 'gone'
  if (words === '') return 'leaving'
  return words === 'looking' ? 'looking' : 'holding'
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Every user can write to the socket, so that another user can check whether the claim is stale. The folder itself
    // is private.
    server.listen({ path, readableAll: true, writableAll: true }, resolve).unref()
  })
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

class InUse extends Error {
  readonly pid: string
  constructor(name: string) {
    super('in use')
    this.pid = NAME.exec(name)?.[1] ?? '?'
  }
}

function toDataDirError(path: string, error: unknown): Error {
  if (error instanceof InUse) {
    const who = `Another Slipway (process ${error.pid}) is already using ${path}.`
    return new Error(`${who} Stop it first, or set DATA_DIR to another folder.`)
  }
  const reason = error instanceof Error ? error.message : String(error)
  if (reason.includes('ENOSPC')) return new Error(`The disk that holds ${path} is full.`)
  return new Error(`Slipway cannot use the data folder ${path} (${reason}). Set DATA_DIR to another folder.`)
}

/** Maximum length of the path of a unix socket: 108 bytes on Linux and 104 on macOS, including the closing zero. */
const LONGEST_PATH = 103

interface SocketDir {
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
  // The link is kept, because another process may use it and the next start reuses it.
  return { path: link, release: async () => {} }
}

const NO_REPLY = 'silence'

export function readFromSocket(path: string, timeoutMs = 2000): Promise<string | undefined> {
  return new Promise((resolve) => {
    let words = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(timeoutMs, () => {
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
