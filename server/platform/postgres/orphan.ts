import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readFromSocket } from '../data-dir-socket.ts'
import type { Log } from '../log.ts'
import { undefinedIfMissing } from './files.ts'

/**
 * Stops a PostgreSQL that outlived a killed Slipway. Removes a stale postmaster.pid whose process ID another program has
 * now: PostgreSQL would refuse to start.
 */
export async function stopOrphanedPostgres(pgdata: string, socket: string, log: Log): Promise<void> {
  const note = join(pgdata, 'postmaster.pid')
  const pid = Number.parseInt((await undefinedIfMissing(readFile(note, 'utf8'))) ?? '', 10)
  if (!(pid > 0)) return
  if (await isPostmaster(pid, pgdata)) {
    log.warn({ pid }, 'Stopping a PostgreSQL left over from an earlier run')
    await stopOrphan(pid, pgdata)
  } else if ((await readFromSocket(socket, 500)) !== undefined) {
    throw new Error(`Another PostgreSQL, possibly in another container, is using ${pgdata}. Stop it first.`)
  } else if (isTaken(pid)) {
    await rm(note, { force: true })
  }
}

async function stopOrphan(pid: number, pgdata: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    process.kill(pid, signal)
    for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
      if (!(await isPostmaster(pid, pgdata))) return
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) is still using ${pgdata} and does not stop.`)
}

/** Whether the process is a PostgreSQL that uses this folder; the process ID alone proves nothing. */
async function isPostmaster(pid: number, pgdata: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      const [name, there, here] = await Promise.all([
        readFile(`/proc/${pid}/comm`, 'utf8'),
        stat(`/proc/${pid}/cwd`),
        stat(pgdata),
      ])
      return name.trim() === 'postgres' && there.dev === here.dev && there.ino === here.ino
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes('/postgres ') && stdout.includes(`-D ${pgdata} `)
  } catch {
    return false
  }
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
