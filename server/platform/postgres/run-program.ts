import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { chown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from './files.ts'

/**
 * PostgreSQL programs do not inherit the environment of Slipway, which may contain secrets. The locale is fixed,
 * because the output is parsed.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Child {
  process: ChildProcess
  stdout: Readable
  stderr: Readable
}

/**
 * Starts a PostgreSQL program as `account` on a data directory. Another user cannot access a path below a private folder
 * such as root's home, so the program gets an open file descriptor.
 */
export function spawnProgram(program: string, args: string[], account: OsAccount, pgdata?: string): Child {
  const door = account && pgdata ? openSync(pgdata, 'r') : undefined
  const place = pgdata ? ['-D', door === undefined ? pgdata : '/proc/self/fd/3'] : []
  try {
    const child = spawn(program, [...place, ...args], {
      ...account,
      cwd: '/',
      env: ENVIRONMENT,
      // The program has a process group of its own: Ctrl-C in a terminal is for Slipway, which stops PostgreSQL last.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(door === undefined ? [] : [door])],
    })
    if (!child.stdout || !child.stderr) throw new Error(`${program} was started without its pipes`)
    return { process: child, stdout: child.stdout, stderr: child.stderr }
  } finally {
    if (door !== undefined) closeSync(door)
  }
}

export async function runProgram(
  program: string,
  args: string[],
  account: OsAccount,
  pgdata?: string,
): Promise<string> {
  const child = spawnProgram(program, args, account, pgdata)
  const ended = new Promise<number | null>((resolve, reject) =>
    child.process.on('error', reject).on('close', resolve),
  )
  const [status, printed, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (status !== 0) throw new Error(complaint.trim() || `${program} exited with code ${status}`)
  return printed
}

export type OsAccount = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root, so it runs as an unused user ID: files of `nobody` or `postgres` are open to other
 * programs that run as that user. 59432 is in a range that Debian keeps unused, and below 65536, the limit of user IDs
 * that containers map.
 */
const RESERVED = { uid: 59432, gid: 59432 }

/** initdb needs a user with a name. The owner of the files changes right after. */
export const NOBODY = { uid: 65534, gid: 65534 }

export async function chooseAccount(pgdata: string): Promise<OsAccount> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root. Start Slipway as another user, or set DATABASE_URL.')
  }
  const stats = await undefinedIfMissing(lstat(pgdata))
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : RESERVED
}

export async function changeOwner(path: string, account: { uid: number; gid: number }): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const name = join(path, entry.name)
    if (entry.isDirectory()) await changeOwner(name, account)
    else if (!entry.isSymbolicLink()) await chown(name, account.uid, account.gid)
  }
  await chown(path, account.uid, account.gid)
}
