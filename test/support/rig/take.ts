import { execFile } from 'node:child_process'
import { createServer, type Server as Listener } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, inject } from 'vitest'
import { addressIn } from './inside.ts'
import { onRig, type Rig } from './rig.ts'
import { type RigServer, serverOf } from './server.ts'

/** Two per worker, so that a file waiting for its second server does not block others. */
const MAX_SERVERS = 8

type Later = (release: () => Promise<void>) => void

/** Root file system; that of this machine by default, see newer.sh. */
const defaultRoot = process.env['RIG_SERVERS'] ?? '/'

/** A fresh server with sshd and Docker, removed after the file. */
export const takeServer = (later: Later = afterAll): Promise<RigServer> => take(defaultRoot, later)

/** A server with a copy of a disk saved by `saveDisk`. */
export const takeCopy = (disk: string, later: Later = afterAll): Promise<RigServer> =>
  take(defaultRoot, later, disk)

/**
 * Debian with sshd only and internet access. The first one takes a minute, so take it at the top of a file, without a
 * time limit.
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

/** A slot whose address is known before the server boots. */
export interface ServerSlot {
  address: string
  boot(): Promise<RigServer>
  /** Not allowed during boot. */
  release(): Promise<void>
}

export async function reserveServer(base = defaultRoot, disk?: string): Promise<ServerSlot> {
  const rig = theRig()
  const { index, release } = await takeNumber(rig)
  return {
    address: addressIn(rig, index),
    async boot() {
      // Removes leftovers of a worker that died.
      await onRig(rig, 'remove', String(index))
      await onRig(rig, 'create', String(index), base, ...(disk === undefined ? [] : [disk]))
      const server = await serverOf(rig, index, base === defaultRoot)
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
    for (let index = 1; index <= MAX_SERVERS; index++) {
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
