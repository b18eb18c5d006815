import { randomBytes } from 'node:crypto'
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFromSocket, type SocketDir, openSocketDir } from './data-dir-socket.ts'

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
 * Each process listens under its own name, then checks the others. It gives up when it finds a holder, or a lower name that
 * is still checking. Of two processes the later one always sees the other, so both cannot hold the claim.
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
    // Writable to all, so that another user can check whether the claim is stale; the folder itself is private.
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
