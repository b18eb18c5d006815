import { chown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from './files.ts'

/** The user of child processes; undefined means the current user. */
export type OsAccount = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root. It gets an unused user ID, because files of `nobody` or `postgres` are open to other
 * programs that run as that user. 59432 lies in a range that Debian keeps unused, and below 65536, which containers map.
 */
const RESERVED = { uid: 59432, gid: 59432 }

/** initdb needs a user with a name; the files change owner right after. */
export const NOBODY = { uid: 65534, gid: 65534 }

export async function chooseAccount(pgdata: string): Promise<OsAccount> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root. Start Slipway as another user, or set DATABASE_URL.')
  }
  const found = await undefinedIfMissing(lstat(pgdata))
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : RESERVED
}

/** Changes the owner recursively. A data directory that root restored belongs to root. */
export async function changeOwner(path: string, account: { uid: number; gid: number }): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const name = join(path, entry.name)
    if (entry.isDirectory()) await changeOwner(name, account)
    else if (!entry.isSymbolicLink()) await chown(name, account.uid, account.gid)
  }
  await chown(path, account.uid, account.gid)
}
