import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { OsAccount } from './account.ts'

/** Does not pass on our environment, which may contain secrets. The locale is fixed because the output is parsed. */
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
      // Its own process group: Ctrl-C in a terminal is for us, and we stop PostgreSQL last.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(door === undefined ? [] : [door])],
    })
    if (!child.stdout || !child.stderr) throw new Error(`${program} was started without its pipes`)
    return { process: child, stdout: child.stdout, stderr: child.stderr }
  } finally {
    if (door !== undefined) closeSync(door)
  }
}

/** Runs a program and returns its output. */
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
  if (status !== 0) throw new Error(complaint.trim() || `${program} ended with status ${status}`)
  return printed
}
