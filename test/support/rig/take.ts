import { execFile } from 'node:child_process'
import { createServer, type Server as Listener } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, inject } from 'vitest'
import { addressIn } from './inside.ts'
import { onRig, type Rig } from './rig.ts'
import { type RigServer, serverOf } from './server.ts'

/** More than the workers hold at a time, two each: a file that waits for its second one does not block the others. */
const MOST = 8

type Later = (release: () => Promise<void>) => void

/** What is on a server: the same as on this machine, unless somebody wants to try another one; see newer.sh. */
const usual = process.env['RIG_SERVERS'] ?? '/'

/** A server of one's own with sshd and Docker: fresh, running, and gone after the file (or what `later` says). */
export const takeServer = (later: Later = afterAll): Promise<RigServer> => take(usual, later)

/** One whose disk is a copy of that one, as `saveDisk` left it. */
export const takeCopy = (disk: string, later: Later = afterAll): Promise<RigServer> =>
  take(usual, later, disk)

/**
 * As a new server comes: Debian with sshd, and nothing else. Reaches the world, to install more. The first one on a
 * machine takes a minute, so take it at the top of a file, where no time limit is.
 */
export async function takeBareServer(later: Later = afterAll): Promise<RigServer> {
  const { stdout } = await promisify(execFile)(join(import.meta.dirname, 'debian.sh'))
  const server = await take(stdout.trim(), later)
  await server.outside(true)
  return server
}

async function take(base: string, later: Later, disk?: string): Promise<RigServer> {
  const place = await reserveServer(base, disk)
  later(() => place.release())
  return place.boot()
}

/** A place for a server, for those who want to know its address before there is one. */
export interface Place {
  address: string
  /** Resolves when it runs. */
  boot(): Promise<RigServer>
  /** Not while it boots. */
  release(): Promise<void>
}

export async function reserveServer(base = usual, disk?: string): Promise<Place> {
  const rig = theRig()
  const { index, release } = await takeNumber(rig)
  return {
    address: addressIn(rig, index),
    async boot() {
      // What a worker left that died before it could release.
      await onRig(rig, 'remove', String(index))
      await onRig(rig, 'create', String(index), base, ...(disk === undefined ? [] : [disk]))
      const server = await serverOf(rig, index, base === usual)
      await server.powerOn()
      return server
    },
    async release() {
      await onRig(rig, 'remove', String(index))
      release()
    },
  }
}

/** The address under which servers reach this machine; the same as `machine` of each of them. */
export const machineAddress = () => `${theRig().net}.1`

export function theRig(): Rig {
  const rig = inject('rig')
  if (!rig) throw new Error('The servers of the tests need root. Run: sudo env "PATH=$PATH" npm test')
  return rig
}

/** Numbers are held by listening on a port of the rig's own network: the system gives it back when a worker dies. */
async function takeNumber({ net }: Rig): Promise<{ index: number; release: () => void }> {
  for (;;) {
    for (let index = 1; index <= MOST; index++) {
      const listener = await listen(`${net}.1`, 7700 + index)
      if (listener) return { index, release: () => void listener.close() }
    }
    await sleep(100)
  }
}

function listen(host: string, port: number): Promise<Listener | undefined> {
  return new Promise((resolve, reject) => {
    const listener = createServer((socket) => void socket.destroy())
    listener.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    listener.listen({ host, port, exclusive: true }, () => resolve(listener.unref()))
  })
}
