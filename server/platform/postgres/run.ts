import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

/**
 * Nothing of our own environment, which may hold secrets, reaches PostgreSQL. The language is fixed because we read
 * what it says.
 */
export const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Runs a program in `cwd` as `account` and gives back what it printed. */
export async function run(program: string, args: string[], account: Account, cwd = '/'): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...account, cwd, env: ENVIRONMENT })
  return stdout
}

/**
 * How a child that was started in the data directory calls it. Another user cannot walk there when it lies below a
 * private folder such as root's home; its own working directory it can always open.
 */
export function dataDirArgument(pgdata: string, account: Account): string {
  return account ? '/proc/self/cwd' : pgdata
}
